// The page's service worker: it caches the app's own files, so that the page opens without the hub, and shows notifications where the page
// may not (src/lib/state/notices.ts). It must answer for the files in FILES only: the hub's data never pass through it.
//
// Each build has its own cache, which is complete or does not exist. An open page of an earlier build finds its later parts in that
// build's cache, because their names contain a digest.

/** The build, and the SHA-256 of each of its files by name; filled in by dev/worker.mjs. */
const BUILD = "6ca3f0c8c08b5eb4";
const FILES = {"app.webmanifest":"e80ce7a10f85db1bf865dd4c8b0034ba18b3974692a6eaed82d1f652ffb1e27b","apple-touch-icon.png":"8c1aebb921919b295d39564bddf446790e34f3fbd66f8681d4401878c489d39c","assets/AddBoardsSheet-SVwr0CJu.js":"036bcbd0b1c4f590c366de54fbf22835b35c9f1acc69ebcb2a6be2e150c24841","assets/AppBar-hN8PzCW3.js":"72c60b6ab0857787d767c01069eb5384f72defc070c14fcaefde70137a89d8f7","assets/ClocksView-D_8gPQQC.js":"f07fd6afe749124fcd6f2185d07ca6c31cf02db3ca75abc69031be3ff3557a4c","assets/ControlPick-BllpdgEf.js":"c5b0cf64ab9dead509acdd76a5781236d26bbcb31759e4ff7aa95087e1d958fe","assets/Dialog-Bt1W0Y9c.js":"139408f147b25ae9a5bb5a01ac9278ecbbf2802a86ba975bcfdb90108a776c9f","assets/EnrolSheet-DrXNWDo7.js":"01c66ce09081659e6521215743b537ea33e5dc1b53492e3f32ff8cc0d625555f","assets/EventSheets-CLX29oZW.js":"ab711de5d0378ac9cdc92e7fc09107360625ec0ac8b129eddb2ce7ea6e7620b4","assets/HallMenu-4qP_BdzK.js":"db62a8f03454757017f663399592336584d8d83d51df524cc3d964e680d145fd","assets/ImportSheet-CeIScFnp.js":"b8e45bc18fa0aa789039fbf1096fb932dfb679097cd544cf70e88a9425803465","assets/ImportSheet-ClJUXFdC.js":"d50751a8480fbc5a3d9d055ee813f10cf28790b8c6125905b5b986e82c7768ad","assets/LoadFailed-9FZFFfcZ.js":"2d75f6a5e2d4ba6e95e18e1551445213f95e56e59ff50590533ca380f68c7cca","assets/NewEventSheet-Cfl1X0n2.js":"bc8b2e360a7d867f667c41da59ad82762733ce2fbe19fea07f156767155f4343","assets/PrintSheet-De96SnLA.js":"c3b174ca337794994d7226c35125368686caf5e4c3211538f576e8c975fa7a32","assets/Qr-CCjag71a.js":"66fa066be0e89cb1171ce0aaf830b29e34153b372c0423c368e72a0dc6c1fa7d","assets/Refusal-OWbhv3_h.js":"28173939de24e62dca885007cfe363d5848cd7468f84c32cc1a6745cae012640","assets/RemoveBoardsSheet-DYVdI_bU.js":"61ca1541b528f017f7f0e3174dfedeacb3ba8557b81ee4e2fae77c2ee5c2cc47","assets/RoundSheets-v8EQUDYb.js":"a72e2395a09ce3724ac220ca5b89fe9f4e231bb947bc35753c867736113ed9cf","assets/RoundView-CFcQ8QT9.js":"ff8c8139c823a06a42f249b4aea8adfbb86f218488b042da315c167c6db32aa8","assets/SectorsSheet-BD098tGf.js":"a457e917d4fc7f6e9da0aeb682c9eed939b121997dbb190695e31e99d3343540","assets/SetupGuide-Cj4rFcux.js":"27626ecfe8c3e6d5c16b4409853afb0409a7775a122a02336e8946cd04617021","assets/SetupLine-B_0BH7P6.js":"a5853574fe66cb1a3224f004ee4c72f5f73238ec5fc2c42d9bb6b8b93099bfec","assets/SetupSheets-NbGYYaxL.js":"3e8b0d44c7bf92fcafe2acaa28ab56b3e1626522f0c42d93cb5b068bbb0e5368","assets/Sign-CKiec_9d.js":"2a5eafbf2fc83f86f32ba5b5df488c4a94dc8ad896600b1351ad60d2999f86e8","assets/SoundView-BgLxWMLp.js":"18a57fc4c46ec1ad12e7d07ba5a0cefceee862ca3a401a309edab86831946c93","assets/StandingsTable-Cmm2fzum.js":"bca543f6bad4b8f649fd188390249edafe110b5436247d1a1c4f43d790366a59","assets/StandingsView-CwDCFCwI.js":"8d04b5d53208fd66683707310c9848536c3b7cb71a5716d263d96e9b58b35f11","assets/StartView-CxU0VP7f.js":"6b765eb25b4045774511cda6319ae497c0301352c57d499b67e9c352990446d4","assets/app.svelte-DlZEopUz.js":"ae0b50c84b03eadbf349fdc49f35c0c8eaefd1b0ce59c7550c1f2a74513e00e0","assets/catalogue-Hpd01n2_.js":"01f15f8d58c308ae88c7f5f5bd66249b7f9474f25ca318fa7a71bd607150c280","assets/chart-Cp9pYTV4.js":"7840358a51e61f0c4815097b9eb0a22346a03038845433e8719dc98d11d89f35","assets/clock-test-BW88XoJB.js":"ef954d1685c1879e0cbe3292a46077c19a1a8811c2480d528a1984ea632bda6b","assets/control-C9bIjha-.js":"122538a5bafda9d8a010adfc6c0e90fec2b1eeee33a305868c47c7782be87c38","assets/de-9KVC0gaj.js":"19cb1d4c7605946e783d4d02245f17d54908aa9d4fcd3e56c4b125b07c86309f","assets/decode-Cb39y0Pn.js":"3482590646d178854743c23b14afb1410a00a9d83aeebc40a0f0cfaa38ced9a7","assets/disclose-version-C6ORp4K7.js":"9865f5f2a801648a016b497cc8c4348cc1dd137d495e725a4353d7b3b8e24ee1","assets/each-board-Cb8atG4I.js":"91ce25516eda52cc8bf6e596938a610f01e7cb3be5c0c6f281fd16e25da1b70f","assets/en-BGiKcwLZ.js":"3ac120da33af2959afe089072c82eb0a3d2a4e6f58f227bf718dec35122837e7","assets/es-C3sjGKTM.js":"06bd3804967220f0cc9aafac2274461cee52d8a3d63324b8bec97f33ba513a47","assets/find-BSA4mEex.js":"dbec34f4184bf631dfc51f51221eddfacdb5b40b7205a6355150a9d2f3648748","assets/fr-DAM6eSW_.js":"87547eadc6e47abd8e669d028d7e8fdef20608d40e1c9118ab764d44bca25833","assets/guide.svelte-BozRZsCH.js":"4255449a6205f84ff999666724d27617a8f4f4869cfbbeacdf7daa66c6af7477","assets/hold.svelte-idnihBdS.js":"f516a2f9b295fcb049f05ce98c6ba0ac8fbc0ab0ea83f3e7290ac60655d6193d","assets/index-CGG42YIj.js":"1196d3b9a96e26ea18a12e61333308b33895feb3b336e4ac510ee42f97b0f6d9","assets/index-CfnHXA_T.css":"ef4d877dbe5805a73c10ed4c4d75dd4ed26e2f161572a161639c18d72ad35339","assets/language.svelte-DumJUC4a.js":"f39969c008508f9c7c3e4756c14773d381b1c609681b07082976844fac7a8455","assets/pairing-ChAQo_d9.js":"d01b26c24cba4139cfd659c33fd08496ffcdd666e23a8dfed87382a2fd940fc9","assets/plain-BdVVEK8b.js":"e65c6905119b1d0742d070ba5cf909c8ffd2ff77cd56538d21f4a26b89f9ee8e","assets/plot-CD2inagw.js":"2823ffceac4ad594703c799462565954cc873469e0a89cb7f99c062f33c5b6bd","assets/plot-CnsZ1jie.css":"0fd9465202f6dfceac29e67c17e5ac9fb1b7ba7615c1bb08782391b791d9f1e0","assets/preload-helper-BQUUbbNx.js":"fdc866086eb8bad8ef0387d4b59cdb01dd1e306f42453ee5e6b8b456102f1818","assets/qr-D15vRg4X.js":"dc5d1a8c7c42148c9ccc3bec037a2ada79d0d693645e20ba58b697f8e8dab47c","assets/remarks-Dwrq00Ym.js":"9626ab250d4f030a14f31656e7b9616cff825d00815466745b6c1ee20cf9d423","assets/results-BaTPyxN8.js":"c5a8d914160591574f092a228896c68516c0638f240b5904c658b3c021bd091b","assets/route.svelte-CtifgZHy.js":"fd765050cff6e9f549ddcec955c96ae5ca82cd3c3083b0c337389bea0648d85e","assets/setup-CYtMLErL.js":"5a642ea7b9a425c9a08131e0487e5975e9a6cec290f6b97f9af9b9a667df669c","assets/why-BKjLs46A.js":"346c79873f96d8ae85cc3d228054994b9f779cbffd9eecc75f63a1fe66420890","assets/words-Dm6sVS5-.js":"e372ae070bed225c873a630421eb4ca1bcc6b9625efe4c56d6ce83ba0ac51786","icon-192.png":"838415dafedc437e618d32d08525468cc0fdc832bf8b311d376d4dfb3de5525a","icon-512.png":"7faf3903cef657028b908bc60849cf7e39d2c04e7a4f601207db8f05bc4858df","icon-maskable-192.png":"5418f3217631d12a0fffc9a77189cd8f323e9eae2a9463300574d843cf0f79e0","icon-maskable-512.png":"e377d815f184ce54e5ded9b314561b9fca03d3fd0085dfe9ba594263ec03e055","index.html":"4c5f19668ab3c0665254de6cf5d44bc58627f797687d38c9b0ab183e1e1c1d81","mark.svg":"480ac5e0eac82fac8fd0e85ffc66a2077c90f4d35a7656d2b2ff96138f858017"};

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

/** Returns the requested file; null for any other request, which the browser handles itself. */
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
