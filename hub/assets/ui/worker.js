// The page's service worker: it caches the app's own files, so that the page opens without the hub, and shows notifications where the page
// may not (src/lib/state/notices.ts). It must answer for the files in FILES only: the hub's data never pass through it.
//
// Each build has its own cache, which is complete or does not exist. An open page of an earlier build finds its later parts in that
// build's cache, because their names contain a digest.

/** The build, and the SHA-256 of each of its files by name; filled in by dev/worker.mjs. */
const BUILD = "75eaa6f332e8d0ab";
const FILES = {"app.webmanifest":"e80ce7a10f85db1bf865dd4c8b0034ba18b3974692a6eaed82d1f652ffb1e27b","apple-touch-icon.png":"8c1aebb921919b295d39564bddf446790e34f3fbd66f8681d4401878c489d39c","assets/AddBoardsSheet-CFR4hsIA.js":"b08c986e35cd6c6f184bc2474c73075c2c8d2d914e417ab87fa2adde778c3f8c","assets/AppBar-DMISMMWr.js":"fc146d8184b0a90e1afddb2c4d6151a2e19d7188406a56c898f21e78f81c0f49","assets/ClocksView-CZJTtY9_.js":"18108e97893d9f44f384d461d9f45f7c9972eebefe2fbf68afca9fa3d97a3d46","assets/ControlPick-yFzaSgrU.js":"15e485df65d9db84ec5c78de0d24e742e9f5db27e3f1a4e535e834d57e5bf896","assets/Dialog-CRMy3sDF.js":"1b8187e2b170e303ef21fe69b0d7e01f78d247dca1b72eaa092e2ec7c5e1aa71","assets/EnrolSheet-6xBYfETd.js":"8a4057def161d8c944754ee111dbc6d2258d5304ee0bade751f8b70b0d1f23e6","assets/EventSheets-DqtJtZL3.js":"415faa204c9c8f9cbe9952c450a5caea94a278932b7213b634314d2b7924941e","assets/HallMenu-wC4bGMX1.js":"dd9287e5fe07f5c264dfe4629657dbc2d468354856ed5b224b66dbe660018139","assets/ImportSheet-057w0WWb.js":"f52113b6932bd4ce237c584594f8b7ada181d55969dfb4709f9ff1ab4c15b33a","assets/ImportSheet-BjY5S5zr.js":"d8933d39fd36cba4931b1e95e08929e816914fe43d65bfb5d7e24fa0591d4c3d","assets/LoadFailed-Ckcol75A.js":"23425c1aafa6dd30e91995121a6c2eb1f1857b218f5632792ccfb0767367da13","assets/NewEventSheet-DceVDkSI.js":"2a4eb1c91fe43e712b055b4bad9a9ad18c2732c6a6b207d5c53f9ae9d22fa978","assets/PrintSheet-vkkH28Rw.js":"bcdcb9792593bdd692f9e7c50ec94a80dc43477b9a199a37095f0164c1113b60","assets/Qr-CCjag71a.js":"66fa066be0e89cb1171ce0aaf830b29e34153b372c0423c368e72a0dc6c1fa7d","assets/Refusal-Bck9nVtR.js":"24bb1a02cd0eee18d472db777b33a9f7069246c4cecdac6d8c8ade75e4d2815d","assets/RemoveBoardsSheet-BfpZR3VA.js":"2a0c490807f5606d6289846e4c81e57953ea0ef5aa1e82dcc40774e307b11cad","assets/RoundSheets-H74z-5sJ.js":"aa7eed25f9841e409e257331387acbcfd649a8469fb7154b23ee75f1fc2b2c1a","assets/RoundView-BO895Vwc.js":"27bba1e3136d4037071490cfe34adfd8b21ddf848b09e51d8567264329a2faca","assets/SectorsSheet-C6ddLyqK.js":"001e11da99f688603c36a940c634a6bcd5d092a9b493b66aca2247a681d8c845","assets/SetupGuide-uB5hiax1.js":"b6a0d5c4d07da222f22116226e68b2ef5b4f34740063dc402595de3ff8724f84","assets/SetupLine-CkosCk5G.js":"44f94a0887b0c9cf4a94eecf98a84d95ed8b13591ada5a0b02ff78f1a731d6c5","assets/SetupSheets-DAqVYXPw.js":"a960e9593bc07d3228b590c964f1dbf183984f2b783ea3816d5dd812da2c5e5b","assets/Sign-CKiec_9d.js":"2a5eafbf2fc83f86f32ba5b5df488c4a94dc8ad896600b1351ad60d2999f86e8","assets/SoundView-0H7SZKJZ.js":"95f7b49f9dc8235e2e3d42a941c6db6700ff4f359a738fb4edfef6baf0049b40","assets/StandingsTable-BA4LYMaR.js":"b0c831c03ce8635e57b8b50ebe2659c47a2317a1d255f381939b6f58e7cd48c8","assets/StandingsView-CTlFq_ym.js":"9a8c63d818fe1975fbf01a70c14025a23c77c900e40bf76b4fbcd2950a94cb21","assets/StartView-CfV2csBV.js":"0cc8eaf30601805030fe3b11bcfff74dafa354bc2670f60ee57b2225d86f861a","assets/app.svelte-CqalkB0q.js":"6afdd636c3016fbd237a48d626f03f34150c64e860cba022405d1fa9906aeb2e","assets/catalogue-BN2lvPhx.js":"a76d363600892ce9964d355df7f62269cc4e3970b8875782063c3f323383b80a","assets/chart-Cp9pYTV4.js":"7840358a51e61f0c4815097b9eb0a22346a03038845433e8719dc98d11d89f35","assets/control-5NTeJoWr.js":"818c306aba0b0e3283046dfa799d9092fa1b472c22d9e45404432c6f992fca5d","assets/de-3PdzMSru.js":"cf4362dce6429d423c169cf03fb953b8ccf69bf6369ffac0310ef8a881f86eae","assets/decode-Cb39y0Pn.js":"3482590646d178854743c23b14afb1410a00a9d83aeebc40a0f0cfaa38ced9a7","assets/disclose-version-C6ORp4K7.js":"9865f5f2a801648a016b497cc8c4348cc1dd137d495e725a4353d7b3b8e24ee1","assets/each-board-Di0Zm3Pm.js":"14e4dec4da372408668d75fcb40021a14c85e1b991584cd30e8ed25f4f50de32","assets/en-DkmdqycY.js":"5dbc66feeae9d83ee3e0ecf6deed3545ddb5eaabe406d03e174d35e520d6e0b1","assets/es-Cm8uXr6i.js":"7a6cadc9d070b2a13a15858ec31b0d175ec72c5df67e10bd30e0ff0e2f01f550","assets/find-BMepeIz4.js":"e8a78062a261afba69033f7e5ee5a881f6e916d501733cf8d30375134de00cfe","assets/fr-D9yQBYLc.js":"28425f13f4873c5f1032ce7071db0a3eb9bd90f9ab1a3f6c77b1b17cc42696c0","assets/guide.svelte-BozRZsCH.js":"4255449a6205f84ff999666724d27617a8f4f4869cfbbeacdf7daa66c6af7477","assets/hold.svelte-BQWtTsiT.js":"f855a16f7124b3da500b40d89038a557d3c91e903a74e124ca221a35525da07e","assets/index-CFyplsQ1.css":"21f09a3b6e26dcaca8ba6cbca3bbd1ab83d86b3c3562b7a603410cfbda57f6cc","assets/index-dA69PR9K.js":"e34117eab99c25f36d809b95f4cc82e19b48c3a69e5f0cc853d80874ba161c44","assets/language.svelte-BA4ptS6E.js":"e6c84bd18d88be2fb7deb9fb5eca2a821745127d993af8de64e485f0f20da65a","assets/pairing-BLkLqEU9.js":"77d7b551a212c28645f0f1f65e9a138c469bc6758d3a8a9bc142bf31fa546c89","assets/plain-BdVVEK8b.js":"e65c6905119b1d0742d070ba5cf909c8ffd2ff77cd56538d21f4a26b89f9ee8e","assets/plot-CD2inagw.js":"2823ffceac4ad594703c799462565954cc873469e0a89cb7f99c062f33c5b6bd","assets/plot-CnsZ1jie.css":"0fd9465202f6dfceac29e67c17e5ac9fb1b7ba7615c1bb08782391b791d9f1e0","assets/preload-helper-BQUUbbNx.js":"fdc866086eb8bad8ef0387d4b59cdb01dd1e306f42453ee5e6b8b456102f1818","assets/qr-D15vRg4X.js":"dc5d1a8c7c42148c9ccc3bec037a2ada79d0d693645e20ba58b697f8e8dab47c","assets/results-Db-5HpDi.js":"7f3cec57bf4df90102da14a008e8dc04eb34ddf9d2a311cda82ce0489dbd5c1b","assets/route.svelte-CN7ra--n.js":"f655fd2d5256cc244b3b5e06de0d48d823cf9d7101113087bba7bf920cdabb45","assets/score-SRAL_rT-.js":"0be51d34e7ea75621d4d91670f04cdbefef3e3d807c676423e640ea12787d3cd","assets/setup-Dh-3iFi2.js":"1a91d58a55d609a2c0b6d59d653ab038fed6f9528af541f47771df6d869a8024","assets/why-ERbckl7q.js":"469ad7833cc1ad05a6ee11f5dda6f3231992d2d4f511d53498390fd49472e83f","assets/words-BnEZYCST.js":"5f6e189d373080e286d09ccd6d85827ffaf26fa2b98ac453dce181a5705f3580","icon-192.png":"838415dafedc437e618d32d08525468cc0fdc832bf8b311d376d4dfb3de5525a","icon-512.png":"7faf3903cef657028b908bc60849cf7e39d2c04e7a4f601207db8f05bc4858df","icon-maskable-192.png":"5418f3217631d12a0fffc9a77189cd8f323e9eae2a9463300574d843cf0f79e0","icon-maskable-512.png":"e377d815f184ce54e5ded9b314561b9fca03d3fd0085dfe9ba594263ec03e055","index.html":"b0c349e3f0d544db09058d0e069bf86375021ca1981e718ac43ecd115c806936","mark.svg":"480ac5e0eac82fac8fd0e85ffc66a2077c90f4d35a7656d2b2ff96138f858017"};

const CACHES = "flagfall-";
const CACHE = CACHES + BUILD;
const PAGE = "index.html";
/** Files in this folder have digests in their names, so they never change. */
const DIGESTED = "assets/";
const home = new URL("./", self.location.href);

self.addEventListener("install", (event) => event.waitUntil(install()));
self.addEventListener("activate", (event) => event.waitUntil(activate()));
self.addEventListener("fetch", (event) => {
  const name = fileOf(event.request);
  if (name !== null) event.respondWith(answer(event.request, name));
});
self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(openPlace(event.notification.data.place));
});

/** Replaces the previous worker immediately: open pages keep their own files, and the next page gets the new ones. */
async function install() {
  try {
    await Promise.all(Object.keys(FILES).map(store));
  } catch (error) {
    await caches.delete(CACHE);
    throw error;
  }
  await self.skipWaiting();
}

/** Caches a file; fails if the hub has another build meanwhile. */
async function store(name) {
  const address = new URL(name, home);
  const found = await fetch(address, { cache: name.startsWith(DIGESTED) ? "default" : "reload" });
  const digest = await crypto.subtle.digest("SHA-256", await found.clone().arrayBuffer());
  const hex = Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
  if (!found.ok || hex !== FILES[name]) throw new Error(`${name} is not of build ${BUILD}`);
  const cache = await caches.open(CACHE);
  await cache.put(address, found);
}

/** Keeps the previous build for open pages, and removes older ones. */
async function activate() {
  const others = (await caches.keys()).filter((name) => name.startsWith(CACHES) && name !== CACHE);
  await Promise.all(others.slice(0, -1).map((name) => caches.delete(name)));
  await self.clients.claim();
}

/** Returns the file that a request is for; null for any other request, which the browser handles itself. */
function fileOf({ method, mode, url }) {
  const { origin, pathname } = new URL(url);
  if (method !== "GET" || origin !== home.origin || !pathname.startsWith(home.pathname)) return null;
  const name = pathname.slice(home.pathname.length);
  if (name === "") return mode === "navigate" && Object.hasOwn(FILES, PAGE) ? PAGE : null;
  return Object.hasOwn(FILES, name) || name.startsWith(DIGESTED) ? name : null;
}

async function answer(request, name) {
  const address = new URL(name, home);
  const own = await (await caches.open(CACHE)).match(address, { ignoreVary: true });
  if (own) return own;
  const earlier = name.startsWith(DIGESTED) ? await caches.match(address, { ignoreVary: true }) : undefined;
  return earlier ?? fetch(request);
}

/** Opens the place of a notification in an open page, or else in a new one. */
async function openPlace(place) {
  const windows = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  const pages = windows.filter((one) => new URL(one.url).pathname === home.pathname);
  const page = pages.find((one) => one.visibilityState === "visible") ?? pages[0];
  if (!page) {
    await self.clients.openWindow(`./${place}`);
    return;
  }
  page.postMessage({ open: place });
  await page.focus();
}
