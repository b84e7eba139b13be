// The page's service worker: it caches the app's own files, so that the page opens without the hub, and shows notifications where the page
// may not (src/lib/state/notices.ts). It must answer for the files in FILES only: the hub's data never pass through it.
//
// Each build has its own cache, which is complete or does not exist. An open page of an earlier build finds its later parts in that
// build's cache, because their names contain a digest.

/** The build, and the SHA-256 of each of its files by name; filled in by dev/worker.mjs. */
const BUILD = "d6bc6c3a86d3b5b2";
const FILES = {"app.webmanifest":"e80ce7a10f85db1bf865dd4c8b0034ba18b3974692a6eaed82d1f652ffb1e27b","apple-touch-icon.png":"8c1aebb921919b295d39564bddf446790e34f3fbd66f8681d4401878c489d39c","assets/Act-CMRCzyVA.js":"46cfcc1b1f7c460c57aca3ebf3736f3285ec12493ffdf66f3cb7097c3cd38286","assets/AddBoardsSheet-DaA-y0Da.js":"89c94e6ed891d4d944294c989ec10af55e02b28acc4a4351c99d494cbe50e812","assets/AppBar-C9qOB8IA.js":"320639f60ff574c6aa822c59a86ce59f81e625cad0087044685ab3db0f4a5139","assets/AuditView-BJPAX7ce.js":"4a38193316a32958196a140d596f8465e80c487b058c72bda87f6f56b663528b","assets/ClocksView-BGLoMUrd.js":"f3b50e8240c854c8d3027040e54369f5ee813eed797425603c8508864eda657f","assets/ControlPick-DZ6HcYdH.js":"61255223d192b382d990d94f1797e01dc2858ab6c088536a288a76f36a978238","assets/Dialog-B4wZYm7P.js":"70d689a1768483d5fa83d22d73ca7b2b1417db211459ef3089b8f39953fb8ec4","assets/EnrolSheet-CgpEwXLd.js":"17aa1599685dae71dc40aab9eed1e14b17f889ca83764e6a63de99604e8e2fc7","assets/EventSheets-vsnUdZUM.js":"de18d98f80fb00bcc952515e8c5ee9ec89d36111fe369d5ae56151a714a00e8d","assets/GamePick-S5Ru_uIv.js":"73f580b6ac4656bc556b9f4215050e5f8c4babb4cf4efa6f85b2ac817759d31d","assets/HallMenu-DNVSedyI.js":"c3aec552a1d9ba580f605c7685a1b6e043f95a95fe2d5cc01899c8eb6f7cfb08","assets/ImportSheet-DP4Hhz5N.js":"d4f8ed880f7e8ca5be36edf6b66e67386fdc5f5f13a9a7bfd57afeac32ce4562","assets/ImportSheet-DeDh8ZcN.js":"73df265fea825918d0c5e854bbb7952a95e85fa79e5bed0ed55494a327401ee9","assets/LinkState-CAlqP0gF.js":"8cddc5ef0fae4f31d88444565734dc73a8b2bf13348731ba239f6a8026dd8bc3","assets/LoadFailed-BgsqMQYy.js":"023fe9b3cd031b8bce7c45d83702baf93e860e470b468bf37eafc38bacd168e2","assets/NewEventSheet-D_XXr8WE.js":"43bbef1df01323d2c006e36a0c74535b3ca4d6571647d5cb7beef829ee061fb6","assets/NewEventSheet-FS8GJsfO.js":"4fb5b8cf3812a95d31ec73a6854a96a58898d79b0584f5d737bea9d953ea66da","assets/PrintSheet-BAeYYBsO.js":"6688d576874a090279929a77d18bac761fc21f99ce57dbe1f4ef0d7e7c1c4252","assets/Qr-DwPoq4xs.js":"ade51182a27e9bba3ac86ad34669a7c275ea2c87d8b285141c676a574ff02005","assets/Refusal-Gzgr91g0.js":"40af1a654cdc9d043574ee225cf3e6baea503917589022500ad1099af0fcfc50","assets/RemoveBoardsSheet-Bnc2Wi98.js":"c7edfed00e8106a9b6999cabe116df5172eb5a0512b7674bafa126bfbef41f00","assets/ReplayView-CxeB_dsK.js":"4dfecacc271572164c3d288cea79ae07c2983edd3bdb5429fbdb2d1212b466f0","assets/RoundSheets-BPFzIzqR.js":"0c45b737aa5454accaa4098f6049de23e3f1df564514a32cb5cd34b4a60954d9","assets/RoundView-V99m0WXp.js":"c2d3b3b913ed485b83c71ef825af1688664383dea8b3a243517099cb9844ab8e","assets/SectorsSheet-BpW4tVQC.js":"13aafa2f6717786ee29f91aa388b559af7e394798ed9a79e2ba94f30ec64815d","assets/SetupGuide-rRZZPTUZ.js":"7cd9131d98c596da691e4c0dbb7ac42a78024953ea7f1bbb535fe50c6cc39030","assets/SetupLine-D4oJ79ws.js":"bfa08a452fc1efb4248611b3cc21c34a694da6064ae12fda3e5289d2b8684a9a","assets/SetupSheets-DKr3PG5B.js":"211d7d7b397fe11b98b063df9696f11a23106b3c09cb3fd7d8b5467cda618d11","assets/Sign-bkyp3xMa.js":"585b42be75abb08f049bbf705fbf66d91b936ff63f4ab6d79967db9d79b072fe","assets/SoundView-962jzX5W.js":"8da7042e2a135833ba19249f6115cc3ae7306cfe7d4c31445809298fcc7b4dd2","assets/StandingsTable-EyWDQZld.js":"8d1d7057ee55fa4e5808435a288ed016c47bb4415b3511688a77f322bd0cf06c","assets/StandingsView-DEgUZJNb.js":"bf04abe890ad6bbae9d652066324f5cc3afca1ce33fa5af33aeeb568d86d587d","assets/StartView-D1ICyS8F.js":"89cff3ab06583633a4c4ce67c21296dba8b64e77bad9274bc60b241f0a2c275b","assets/acting.svelte-D1WD9M9T.js":"210225d65d9f5e3acc3a94166969b05cd8612b7f2cee6989195d410dc1787e89","assets/app.svelte-CKF9Dm9D.js":"2d758f91b36517069c5ebcbcbe547c53e85fce365d39a97d53ecae9cd3c0b201","assets/catalogue-CevF5BJN.js":"f20c2c7687450d1ffc95c74c07ce50dfe242c59591cd61184d15411d6ab8a19d","assets/chart-Bt1obnF4.js":"6d4491c03f4079ac242cf02a34244c786e5509b7f057a6d73592a275145a6e3c","assets/clock-test-C7YwWGlI.js":"2dd0362f4f55b2972a3334b4e6211d7a51a053c660e8d029c0ebbc51739e0371","assets/control-BxFXLOG2.js":"80754c351a16c003b80b09b588259b5eeefaf3eb65efd001f1a9cf3c69ff9d24","assets/de-BoZxmIz4.js":"a398b126c3c4b5acbcb487ed94fb19395c21acfe1deefaaee56b073aa2c711c6","assets/decode-Cb39y0Pn.js":"3482590646d178854743c23b14afb1410a00a9d83aeebc40a0f0cfaa38ced9a7","assets/disclose-version-BI9mTryv.js":"b02d38e3e31e3f1208c4f7407c2f714fb75f9c205c85f665d94d37d7c5d86705","assets/download-vWOnvHa4.js":"981768cfdc09e467df99d1d0077bac86679420b593c91e2b81fe36e906f44b18","assets/each-board-C08jypKg.js":"0ca501cfc921a220fc61b0b04cfc4f931ed5f1e63378429e0c0e8f19aab4ad1f","assets/en-DaULNY_X.js":"cca1ba8b1534dcb072b8d5922021ae3aab715646baf4dfb5e1aeae12f2251c9b","assets/es-Dayl_byJ.js":"0b3ad552869e5887f58ef5ee453f059aab324c6e313467d2293342e0725ddc55","assets/find-jIb-0Xol.js":"e4773f74e376c0456931480e4ee86091691362178f5905505b17558542b8f92d","assets/fr-BeufhJe5.js":"56dafb50598d014c07a9d1ec38b94653283e50e5519b3fca4434031147265e7a","assets/guide.svelte-CPBLoMc0.js":"fce43a1d1806bc662399871c1c0c6788e451a7dac380d2c2822a44958dd3d1d5","assets/hold.svelte-CaYue9XD.js":"267cf7c48ef1ec5f65382b5e303f0e2ca0c5a59813d7ee43828769befe87c181","assets/index-DKmsf4zV.js":"cb80ec1b55b0ce608f1595c4c08f4d66d9bf4f8ba1a2275b49531f7dc2aebbed","assets/index-DS_Px6mG.css":"81a047df62134810eeebff3ba1281d34f860fa029c9d6a7c9d96f98869b69966","assets/language.svelte-BLp7N23C.js":"061de328562c75d840e93a95ef988bb852cf8ab12d0a524ea9ef76a2beed837b","assets/notes-CUjM_SUM.js":"44be5522d3fa82ca457f3dd9f9b49dd82255ced5e49d53481473d349d0980c79","assets/pairing-D6BzEKim.js":"1c00d90463c5527810e8128eca9c031c91c837bd8494534f46b0461122bf2f96","assets/plain-BdVVEK8b.js":"e65c6905119b1d0742d070ba5cf909c8ffd2ff77cd56538d21f4a26b89f9ee8e","assets/plan-BR_8Vh6m.js":"47dcf59825f931b9cf879ec85c38e500c75e3936bd37a51f440035bc8c0ef3ac","assets/plot-BvcEVOZ1.js":"208f9081ed70cf4d53f8c27596825c718fdce69973ef293127a3c0f04f77ef67","assets/plot-CnsZ1jie.css":"0fd9465202f6dfceac29e67c17e5ac9fb1b7ba7615c1bb08782391b791d9f1e0","assets/preload-helper-BQUUbbNx.js":"fdc866086eb8bad8ef0387d4b59cdb01dd1e306f42453ee5e6b8b456102f1818","assets/qr-D15vRg4X.js":"dc5d1a8c7c42148c9ccc3bec037a2ada79d0d693645e20ba58b697f8e8dab47c","assets/record-CRER3Mm2.js":"d7b6df1f7e754adeb8df133589376f29e6d0bfc1b2689416aaa0044955c12894","assets/remarks-Cvg7U8lZ.js":"fa239b18ca24ceca5058ea85cda8ca579f6edff5733e63bda48585f81637fb91","assets/results-Dwfn8Ej-.js":"75f3f18191aee02f1d0f51f2a912748b7b4c68a97234a3c00481a919e0e6a668","assets/route.svelte-Bdjyj5-W.js":"2187e2fa85e0c92e2d477d5d8e55e10205d8eab570ae7e0b24b3d2bcdcdf290e","assets/setup-jkzM-2tr.js":"4060915bd6dee1d7a917310fa1da274c0a6a683b51148cc5eb7ca24e7342e464","assets/thinking-CSvMUra-.js":"a01c099115d12447dcd00bf1ff63b5c0c9f557cadfdb42f8687a233eb53c48ce","assets/words-zn_aRC4T.js":"7e01e566f12daf4f1bc0ffb8cef5be02db14b5e1863af521353d3284d9dbce86","icon-192.png":"838415dafedc437e618d32d08525468cc0fdc832bf8b311d376d4dfb3de5525a","icon-512.png":"7faf3903cef657028b908bc60849cf7e39d2c04e7a4f601207db8f05bc4858df","icon-maskable-192.png":"5418f3217631d12a0fffc9a77189cd8f323e9eae2a9463300574d843cf0f79e0","icon-maskable-512.png":"e377d815f184ce54e5ded9b314561b9fca03d3fd0085dfe9ba594263ec03e055","index.html":"ee8c98b954ecc57e78d53b605f0c833c83fe204e718a97822e351d7d9ec24589","mark.svg":"480ac5e0eac82fac8fd0e85ffc66a2077c90f4d35a7656d2b2ff96138f858017"};

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
