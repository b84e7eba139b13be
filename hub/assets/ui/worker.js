// The page's service worker. It caches the app's own files, so that the page opens without the hub, and shows notifications on systems
// where a page may not (src/lib/state/notices.ts). It must answer only requests for files in FILES: the hub's data never passes through it.
//
// Each build has its own cache, which is either complete or absent. A page of an earlier build that is still open finds its lazily loaded
// parts in that build's cache, because their names contain a digest.

/** The build's name, and the SHA-256 of each of its files by name. Filled in by dev/worker.mjs. */
const BUILD = "f985a9ce6fee4d25";
const FILES = {"app.webmanifest":"e80ce7a10f85db1bf865dd4c8b0034ba18b3974692a6eaed82d1f652ffb1e27b","apple-touch-icon.png":"8c1aebb921919b295d39564bddf446790e34f3fbd66f8681d4401878c489d39c","assets/AddBoardsSheet-Dw2uY3PT.js":"baf71d867383cd99372c8402f3f1010e45eb0c16419e0d87064e66e9f50ff4c8","assets/AuditView-DBdo915I.js":"8086cdc70734af3836e66fc68a2b9a10e9421b2a9c6278117cb9a61ae58eda3e","assets/BroadcastSheet-B22Wz9nj.js":"73153e24348be1436c7a2133f21bb9cbad26f6a62a71b592569454d185a033d3","assets/ClocksView-CCOvNCB5.js":"f22f15a6bb7b8418acfff9e5931f2030ebcf94f3674a899cd10f175246095c9c","assets/ControlPick-BB_OjUVr.js":"ba3881e83217814d7d9176ec4e7a211e154f8f2be66f8b637e98d40d351d8333","assets/DayGameSheet-CSarilal.js":"c308db68f0cde8607523c01071b5a97e10da5cf9fe695c8551f45e10e3691d00","assets/DayPhaseSign-CCsddP1g.js":"06a6a8d2595843a06e6f88b50df235dc94c00cb7b4e2fd64fba65cc71b0ffc87","assets/Diagram-ChphA-Ca.js":"6af857dd47c72ab60e01b869be8414938aa924173f651875ed975d6cc5c873f5","assets/EnrolSheet-DZAaIIwp.js":"39b72835ac1b5d82f36322010b265cbdc35ed53d996e362bbea63d395b6c4fbf","assets/EventSheets-D8JQdELV.js":"983cef931e306576e82f7d2820a837625e622374851c3389e4a4dcb176793857","assets/GamePick-TGhoTyZC.js":"0140ddc1d72d21d14e656bc2ff554606e8c03583f1b1f6da4497629dc3bf46e5","assets/HallMenu-Bv5D2B2-.js":"7c67a24f359001adf7d828c5dfd3c21b636a025369839d4965abc67af020b0e7","assets/ImportSheet-CGuSBLQk.js":"378e8eca41b72aedd0f13f9e7d042561e2f22c3df7a5d198119a4d6cb90944f8","assets/ImportSheet-taP4Ml6U.js":"64ac079d6b68cc044fd05e8d03d19e3d46f32a2dd4d153ea27f0d11fa80d7bc7","assets/LoadFailed-D_1qNs33.js":"be48a7d1a510f36200e864e07cbc7103784aaedc16594caac4646808919ad09e","assets/NewEventSheet-AUDbzezZ.js":"76d01b2df4435b7b3f3a1cbdd392397229bee40a336eb4057675b66355d13dd1","assets/NewEventSheet-CGFYRkQA.js":"6d7b7764fc9a15905f85a2f339a6c29899883314b8d9fd3c555149e469b84861","assets/PrintSheet-Cyj2s1ik.js":"3fa433a07062d26f2fd35901d97a8e95b44deaab21fe2dc5f8a0c4cc5bb70998","assets/Qr-hUcQf16G.js":"304314675f679de45662940582b5f4adc53b08833a59cc6f7246e5b1ba96f8bb","assets/RemoveBoardsSheet-DcSVfLSu.js":"40b00bde6191a49c8aa1318be7c005a0fd6a1dcd16817830267bbb80ec9b7288","assets/ReplayBoard-pPyQSRuZ.js":"48c31c12e53c268807ed3c2146a79cf9cb1e40ac426eac2ae406ad3c93ed4e2a","assets/ReplayView-DtM36eqi.js":"c817996f78107e6a1c263c8ac8547b881de6dda871236eeb40b7433e09c0b9d3","assets/RoundSheets-1ozMzhWZ.js":"d9ac6a5f62d6696621e2bc54551624cb0d105c91a7d33d64e5253c0ee52a1c8e","assets/RoundView-DLujgvg8.js":"970e9fd1acff6bbe8266ecbb7a3a69bcca803a1d2eec4adde06c7bafa3f620a4","assets/SectorsSheet-D1RMQPa7.js":"4cbb964799f477dd6390ec73bee105df3da345cb5b3136272a0cb1b2108d4f4b","assets/SetupGuide-D5K2CY0Y.js":"80d92259d3efa145db2c4d51a76cf4c21e3929605036ef573f4bf55fde30b3bb","assets/SetupLine-c89s4ef3.js":"095f7f856d02aa0c43e36b909c9f843cdbbc11206f298c9a4028e00d4eee1db6","assets/SetupSheets-CMsg2Llj.js":"b87750c699ce3aaf2fe17e2edc47f414d76c0458e334f7418655015953c11627","assets/SoundView-D7GPym5P.js":"aebe658cfb7a57ac9da2bb4e12b6b6c7b75f718b20e542f0cf6c14ffbaf82186","assets/Sprite-Cd-BXJLu.js":"973b9f367bcdb4e310d900e504eef02864cc005301e2774e77df05cf21843d71","assets/StandingsTable-BSGzy9IW.js":"28b3a27cd54aa8124a3d505c49e6a5772a04aabbc2d88d8da8c2d84d4d5c8b5e","assets/StandingsView-Wjcy0xei.js":"c224259ef5b39a7985d2053e6b3f2b87745426f850bd3942a72f3edb31751976","assets/StartView-38fP2fyQ.js":"92ebbc7cbe6fb8261ef2c768c91c0d4bb904f1826a663168b9521a489459a92d","assets/black-bishop-BEJxz6w6.svg":"b4343211dfa30fd8fb54f02bb6c088dfd64d586699503c7e4b38248546cab986","assets/black-king-CuVr95xE.svg":"324683f02ba4eb5e24cc9b8a9059d6f95d47bb1fff6c2ef0994d247ade9bb23f","assets/black-knight-DDE7OGzF.svg":"c9c51d6d11c2e3993bed1678cf744a205cf56f23c9d13df5af7ed664243e1c1c","assets/black-pawn-BVh5P20C.svg":"fbf212c48bae17e1438369893b8b053f5a22128301514168a7961d984cb02257","assets/black-queen-uBM8KzKr.svg":"11989a32b8925061ddc6dcc63f9706cdef1f0575161345fb5050d7bba703605e","assets/black-rook-DVdehaQU.svg":"6408c626e971e5cc09cbebc2f8c7b6e5db1ffe29ae612476ff474d53d0103c5b","assets/chart-Bt1obnF4.js":"6d4491c03f4079ac242cf02a34244c786e5509b7f057a6d73592a275145a6e3c","assets/core-D1-90HNW.js":"92e309b8fcadd4d338580a1484080829fb97e66d85430397e5fbff83dfc86d0a","assets/de-Jo0O4qwe.js":"acd348e2feacc8f11e28fbc9e9bc12c0c9a808ec3707b9b6c06d02063fba95be","assets/decode-Cb39y0Pn.js":"3482590646d178854743c23b14afb1410a00a9d83aeebc40a0f0cfaa38ced9a7","assets/download-vWOnvHa4.js":"981768cfdc09e467df99d1d0077bac86679420b593c91e2b81fe36e906f44b18","assets/each-board-DstvcSaZ.js":"8d0c4a2122d6822255822495d4695c4aa3447987444a0ae6073f440875116a3f","assets/en-xY4YCFsR.js":"5a0df3598c7c20ed65d93b8f093a82d24619abd280c31a9758b65bfd22ed753f","assets/es-YhlOELC-.js":"cbd3f8a27afe12a438e904da7c2d74b20c21b2d57e80ea9fdf5adcaa1933e7d9","assets/find-CaZq-8SC.js":"7c61a7196098abf8ecbc16d7abdb62869e25bcbb16c660e80196a673a15a86dd","assets/fr-BpgKYCGf.js":"796762980afddd745b847f68d84c689195ac44e450d95f6c15bf0f498fdd3a3f","assets/ground-DZh6TZy7.css":"145435c907ce305321de8dad299b341d852a4486f9c40bffb8206690a934b3e9","assets/guide.svelte-DHWL5Dw0.js":"5eabee705b4d32488e37993b43669805ae0817a3b3263ce011fd717579d89ffa","assets/hold.svelte-v28Ee3nc.js":"4d5db543f779ba399a84bf6fee98d4e2d925d602ef22596f8c4f94db7acc8068","assets/index-Dd-V1WWi.css":"aafab937896acd136b744b8ac64db9f83d506034868b88ae41c23b233125d6da","assets/index-Mc-CvqPX.js":"54b524e4a90408f9b6a5cee37dc2b607877eb93449d662d2a7bc82192913f16a","assets/player-CdO9SjkN.js":"735bd1671b743f965a365517d7550c06f537569d30152d31caffbfe8e95e135c","assets/player-DztfTeor.css":"815496fe5fb1e39991bea81cf8ddf4498e00e91a18ef51ec07a665b43e684c65","assets/player-MGr0eOkV.js":"9643e5ddf642d107ea3fdb763c07de7370e59747bafd532694d15583020c13ed","assets/plot-BvcEVOZ1.js":"208f9081ed70cf4d53f8c27596825c718fdce69973ef293127a3c0f04f77ef67","assets/plot-CnsZ1jie.css":"0fd9465202f6dfceac29e67c17e5ac9fb1b7ba7615c1bb08782391b791d9f1e0","assets/qr-D15vRg4X.js":"dc5d1a8c7c42148c9ccc3bec037a2ada79d0d693645e20ba58b697f8e8dab47c","assets/record-k7o3J8VE.js":"82efbc485c8b548a3b07c4252541af200a76a57135a3f3605205e98353674eea","assets/setup-C-xIKWQd.js":"9b26cddf4a3c4ea9b3c6361f764a8305469d39845b9272110eaa27f25c808346","assets/thinking-CSvMUra-.js":"a01c099115d12447dcd00bf1ff63b5c0c9f557cadfdb42f8687a233eb53c48ce","assets/timeline-BhYvNhAy.js":"2851b03d5b09cf715dfa87e0c30cae2fcb278428c1c76f7a266a3a92a8cbed14","assets/white-bishop-BDXOP_ZU.svg":"a0341e416a85b6bd05020bd9a3615f0d4359ebc776cfd9b2bbf2813ca1b73e0e","assets/white-king-BPFRxpdJ.svg":"3f7f546c1c672cd4939c8577bdb53359517939a6719b4d65fb90c0c3a6e9d0ed","assets/white-knight-DQjoc8hb.svg":"1407efd029cc1a59410db0a6b8c596817914c9c5edae303be7374b3d25dd82b4","assets/white-pawn-BABWKBQq.svg":"c2d652c07fcdb4fb983ad26e45908e631e955bfd84cbae3e93ef5c26f5ad74ab","assets/white-queen-baFt1AQz.svg":"06cd2e8ab40436c3f7f841642e65cabf27c1a554ecdf67e984d778ad74c169ac","assets/white-rook-BpCBUtyS.svg":"c7033117813319e3c477629d337516e051ac2a5438460ad3abf21a8d9bca5bb0","assets/words-CwQP6dGr.js":"70210af054500a3684a356c5730b04a61e5f48323e5b41260277e0089b85ed9d","icon-192.png":"838415dafedc437e618d32d08525468cc0fdc832bf8b311d376d4dfb3de5525a","icon-512.png":"7faf3903cef657028b908bc60849cf7e39d2c04e7a4f601207db8f05bc4858df","icon-maskable-192.png":"5418f3217631d12a0fffc9a77189cd8f323e9eae2a9463300574d843cf0f79e0","icon-maskable-512.png":"e377d815f184ce54e5ded9b314561b9fca03d3fd0085dfe9ba594263ec03e055","index.html":"4fad4e440bb099be62e4b39487c7cccf46ea4a49c897671d461238c82538f2dd","mark.svg":"480ac5e0eac82fac8fd0e85ffc66a2077c90f4d35a7656d2b2ff96138f858017"};

const CACHES = "flagfall-";
const CACHE = CACHES + BUILD;
const PAGE = "index.html";
/** The folder whose files have digests in their names, so that they never change. */
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

/** Caches the build, then replaces the previous worker immediately. Open pages keep their own files; the next page uses the new ones. */
async function install() {
  try {
    await Promise.all(Object.keys(FILES).map(store));
  } catch (error) {
    await caches.delete(CACHE);
    throw error;
  }
  await self.skipWaiting();
}

/** Caches a file; fails if the hub now has a different build. */
async function store(name) {
  const address = new URL(name, home);
  const found = await fetch(address, { cache: name.startsWith(DIGESTED) ? "default" : "reload" });
  const digest = await crypto.subtle.digest("SHA-256", await found.clone().arrayBuffer());
  const hex = Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
  if (!found.ok || hex !== FILES[name]) throw new Error(`${name} is not of build ${BUILD}`);
  const cache = await caches.open(CACHE);
  await cache.put(address, found);
}

/** Takes over the open pages. Keeps the previous build for them, and removes older builds. */
async function activate() {
  const others = (await caches.keys()).filter((name) => name.startsWith(CACHES) && name !== CACHE);
  await Promise.all(others.slice(0, -1).map((name) => caches.delete(name)));
  await self.clients.claim();
}

/** Returns the name of the requested file; null for any other request, which the browser handles itself. */
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

/** Opens the address of a notification in an open page, or else in a new page. */
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
