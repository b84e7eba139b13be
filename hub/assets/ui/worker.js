// The page's service worker: it caches the app's own files, so that the page opens without the hub, and shows notifications where the page
// may not (src/lib/state/notices.ts). It must answer for the files in FILES only: the hub's data never pass through it.
//
// Each build has its own cache, which is complete or does not exist. An open page of an earlier build finds its later parts in that
// build's cache, because their names contain a digest.

/** The build, and the SHA-256 of each of its files by name; filled in by dev/worker.mjs. */
const BUILD = "f14a50f2d444a3b3";
const FILES = {"app.webmanifest":"e80ce7a10f85db1bf865dd4c8b0034ba18b3974692a6eaed82d1f652ffb1e27b","apple-touch-icon.png":"8c1aebb921919b295d39564bddf446790e34f3fbd66f8681d4401878c489d39c","assets/AddBoardsSheet-BxuLFlHF.js":"97f57f272bae944884909ed039a710651942feca6cd32d59ca30006ade6eb5d1","assets/AppBar-Hj4MOARH.js":"24e283b917b0c17e75f0139eace7f095fd29acd1958f37ab4dfed632ec7440a7","assets/ClocksView-DRE5Qa1v.js":"6782a558cec3198290810cf67c38fb10ee9971478c2645141a794e25e907d011","assets/ControlPick-DOfkTJeG.js":"6025e9824c11c6c69c94184bcec11109ad6392ef7eadc55420b338e48d1e68bb","assets/Dialog-DHvs7OVy.js":"abcd3a0521154d2dbc9bd05628b7e9ee1dd92716bbdede98baf8de3aa3341636","assets/EnrolSheet-Dn0rtSkO.js":"adf6007c3594d6b2f4ac2641224ce51fb558308c1ef44687e11f4594e183413e","assets/EventSheets-VGd1ADJE.js":"4d5434347363693f8f2d904bdbb8d5765e38cffa2650b147081460c304b3510f","assets/HallMenu-iVTJt5eS.js":"3186d546858fe1d0d7689a19d72cc3ece863112430ea6baceb68aca953c91ec3","assets/ImportSheet-B7et_L2n.js":"4a1fd78cebc811fc262d884d8cccc34d87a50cbb73cb1498b0b4524d3634377e","assets/ImportSheet-Df0cz9y3.js":"959941ec989ab3362a57e5155c5a3a6a53cde6c305b6e5fa8e908f9eae8fd3d9","assets/LoadFailed-CfXKyPOs.js":"33483782f0d6d9615afb54c849a36f8ede1cd18abfe70e1a8d7e95a733f01d39","assets/NewEventSheet-DE1XT6OH.js":"26be896b5f8f3191a8c6021486ccaedfc306357ae9288c03298cdbe4e95b06d5","assets/PrintSheet-D1BuPEnm.js":"9d3bbea0c034c1a5dcfd5ffbc7f3fdda145e3a0ef319e1f62086d7f41ff5276a","assets/Qr-CCjag71a.js":"66fa066be0e89cb1171ce0aaf830b29e34153b372c0423c368e72a0dc6c1fa7d","assets/Refusal-S2dPcxPn.js":"83a9b1f7d7a9bb1b7a6b4198511a6fd58742c73dc6a87d5e639440880217a714","assets/RemoveBoardsSheet-C5zKbZjQ.js":"bb3d508da155ed9510f519dadd3f128cbf68c8ab6647e3b1e6d0ead583884f6f","assets/RoundSheets-uB9Y2fKL.js":"056fff039c920a17f04d6487e80601cba7707f8a652313abaf3d0b3645aca257","assets/RoundView-mJIXDnUp.js":"d19fd29b755e4f534fe46d7d34172979faa20a6610de686739d426846f535c62","assets/SectorsSheet-BGVatM89.js":"44fff1962b7bf92dc129e3afd605737e8ca5ed564099d14689675272fa3155a4","assets/SetupGuide-D9ctkAc3.js":"b9436373dfaed54911c04dc254f9bb6c1f7b8c1a4fa5ca787e53f695589707de","assets/SetupLine-BJgxf3BZ.js":"25c9cc13efc3d1095d8620d15302cec9ea554df50c54957eb89fc5f4c55413f0","assets/SetupSheets-DgiSWov5.js":"0d2098faa4e867eefa34a08a880669161f49c3b84097d94d4162096332d9e071","assets/Sign-CKiec_9d.js":"2a5eafbf2fc83f86f32ba5b5df488c4a94dc8ad896600b1351ad60d2999f86e8","assets/SoundView-D6FdaR1v.js":"01ee2311a802a49d7444d038cebb5f06c06f56711cbc990577d67046c8410a9e","assets/StandingsTable-BCmCTh3_.js":"558563d17769367adeb950993b3ed115120d126d087d8e58328306cec59ad58e","assets/StandingsView-Bwph5lbb.js":"5f76da8404141e123e978009a820cf001b728db3da0d38dcd00c305801ff296a","assets/StartView-9cDCyr1I.js":"ec5dee23ca2fc14e64669dd10153c374867e380cc4c7c84acb273687e09c6cba","assets/app.svelte-DD9SLkPv.js":"a1786ac4bdcb07bfb7c626e0371c937280110eef5267ec91d8dbcc50a1a4a9b5","assets/catalogue-CEHexfj6.js":"9b04d3495ee7f62f6b9236fd4db65f419f8fe93c9de43cdc330735ddb1eb7229","assets/chart-Cp9pYTV4.js":"7840358a51e61f0c4815097b9eb0a22346a03038845433e8719dc98d11d89f35","assets/clock-test-BnU5ETSV.js":"e45d5c9b4a1b8473b7c749837b848e8d3854f74b7d1af657573fbdb7c5fac518","assets/control-DJABAcDt.js":"db43db77db67cd74aea30157bdb0efd09d42c6d5a66d2b646b023f1514540c84","assets/de-AgI0Tg0k.js":"d5e16ebd25307c32356afb1e0718a6055bc96aa97154145d97f0b6faad63c697","assets/decode-Cb39y0Pn.js":"3482590646d178854743c23b14afb1410a00a9d83aeebc40a0f0cfaa38ced9a7","assets/disclose-version-C6ORp4K7.js":"9865f5f2a801648a016b497cc8c4348cc1dd137d495e725a4353d7b3b8e24ee1","assets/each-board-Bw_UjObr.js":"02855ca6a4845b1228b9fb6483c789199769f42360b1f7841055abbed19ea581","assets/en-CborM1i6.js":"eec796b0c26ce45a3fb777f78dfbe568ca3cdae69df4a762eedb2e64343b4bb5","assets/es-OOaFDnIP.js":"a68c9b6e05c98c3d5b77290e29c8ddddcb45eea84cd5e6fece8d88b804543e79","assets/find-3j-Lb7NR.js":"2c46006690a353447b1d134673d2bf148c63b652a849d06817259c73fdf59267","assets/fr-rmbIQRao.js":"2958bb52da30bd125a75c52d85f17a267a6838699b49909a9b9c29b344f21ccb","assets/guide.svelte-BozRZsCH.js":"4255449a6205f84ff999666724d27617a8f4f4869cfbbeacdf7daa66c6af7477","assets/hold.svelte-CDT6Hqtn.js":"61e423eb4cc4e6715364c8923b422e51db76251dae3ff9ea5dff05e0b1224923","assets/index-BTv8LgGY.js":"8860c9949b2a0cd5e8fd67ed7888c17872b2a057d754320c7c4ed1c312e6217b","assets/index-CfnHXA_T.css":"ef4d877dbe5805a73c10ed4c4d75dd4ed26e2f161572a161639c18d72ad35339","assets/language.svelte-Bkk18H6Q.js":"d1f70213b2c3494f7b90edc86bd952aa44004fdcd364ef79efc11ed336b07992","assets/pairing-XiiIWfPr.js":"06556d1d95989d0bb2723b1700f74fa2d73cded5eff90233231954b3db82af29","assets/plain-BdVVEK8b.js":"e65c6905119b1d0742d070ba5cf909c8ffd2ff77cd56538d21f4a26b89f9ee8e","assets/plot-CD2inagw.js":"2823ffceac4ad594703c799462565954cc873469e0a89cb7f99c062f33c5b6bd","assets/plot-CnsZ1jie.css":"0fd9465202f6dfceac29e67c17e5ac9fb1b7ba7615c1bb08782391b791d9f1e0","assets/preload-helper-BQUUbbNx.js":"fdc866086eb8bad8ef0387d4b59cdb01dd1e306f42453ee5e6b8b456102f1818","assets/qr-D15vRg4X.js":"dc5d1a8c7c42148c9ccc3bec037a2ada79d0d693645e20ba58b697f8e8dab47c","assets/remarks-B34AKSbs.js":"26f7b5bc9dfb254efea35169d53a7b016d7541eaed22efabd063224cc79e8cf4","assets/results-BjAInJJY.js":"97488788af8fc3fe02775bde00711a9d0ca12c7a10251da2178a4b6671fc339e","assets/route.svelte-BuwVrvLH.js":"f2ea7796b157e8d0f4cf989d1dc6e265775caf0b3ab914059e6636b846fef3cd","assets/setup-B1uI9SLT.js":"a48f1f5001cdb912d0f8d146058eda909f7115bfae108ebfed5dd7be9f7c4f75","assets/why-CWS_5vc4.js":"4c30504414af20cf35b8bcea42dbe7bc8adf4d52c85cfacd79760acbc28696ec","assets/words-C3PFdgYu.js":"3379fa5f63784c6840125a5d978928e23754b7655e5cf9bdd5fb0ffb3be27ada","icon-192.png":"838415dafedc437e618d32d08525468cc0fdc832bf8b311d376d4dfb3de5525a","icon-512.png":"7faf3903cef657028b908bc60849cf7e39d2c04e7a4f601207db8f05bc4858df","icon-maskable-192.png":"5418f3217631d12a0fffc9a77189cd8f323e9eae2a9463300574d843cf0f79e0","icon-maskable-512.png":"e377d815f184ce54e5ded9b314561b9fca03d3fd0085dfe9ba594263ec03e055","index.html":"200e6236e4d1655d8545df2213bb68d036c0cacd51a02f5d93bf07d4537cc0f7","mark.svg":"480ac5e0eac82fac8fd0e85ffc66a2077c90f4d35a7656d2b2ff96138f858017"};

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
