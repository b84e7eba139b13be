// The page's service worker: it caches the app's own files, so that the page opens without the hub, and shows notifications where the page
// may not (src/lib/state/notices.ts). It must answer for the files in FILES only: the hub's data never pass through it.
//
// Each build has its own cache, which is complete or does not exist. An open page of an earlier build finds its later parts in that
// build's cache, because their names contain a digest.

/** The build, and the SHA-256 of each of its files by name; filled in by dev/worker.mjs. */
const BUILD = "f4a2897cda31e6c6";
const FILES = {"app.webmanifest":"e80ce7a10f85db1bf865dd4c8b0034ba18b3974692a6eaed82d1f652ffb1e27b","apple-touch-icon.png":"8c1aebb921919b295d39564bddf446790e34f3fbd66f8681d4401878c489d39c","assets/AddBoardsSheet-DeMjJF4x.js":"56faf01451b7506a1af6f419dc978d0c58b25b29240051b63b46e020abd44116","assets/AppBar-Bklb4nkL.js":"e3dd283360552f5d2a6f48de6df194355a90fe56a896cc79f675207ac1959f3c","assets/ClocksView-Comxj7au.js":"6c248cb9d48458f1d2e9fae05b5a821ad50e59a07902dc625750791d4dcc354f","assets/ControlPick-BimP7SOX.js":"68adc6ad514233dedd7399a283a864aa858d4fdb84c6ee722900392f133ca951","assets/Dialog-DWxYTBOe.js":"162b404ca5984f065c1a5c77ce2121876737e4d71b6ec726750446239aaa29a6","assets/EnrolSheet-Cmq_FU3w.js":"a60154a936bf6dc34be7bdc9b4526f69e84e688c93d105bd9b6287629b20f479","assets/EventSheets-CCzT7i_Y.js":"a5b77303f735a5906b8b3f62b7f3246d44e4f4c51eef06dffd5ad72433241515","assets/HallMenu-DFG4Ipzo.js":"88db4135dd8e29e8413d44181365d1c45ecd8bb50441b9f76fa8bc3835cf7ece","assets/ImportSheet-NKO90GXf.js":"b75ff0bb1a7af0af4eca47e48e12118e1f61128e73a865144f2b87c13cbea0b9","assets/ImportSheet-_QdLK7h5.js":"4de6387127813e4171b83802a95033c0deca4d6b41e3ac8c22c8ccd1c4625123","assets/LoadFailed-CfY3pP2f.js":"6c8ce611b7aa2b913dace5190017a61d46fa76f7ad47788ce0df51e844869b2e","assets/NewEventSheet-BEjMRwmh.js":"87e1b79b8f5320fd7b12da4c1cddc197e3987f244f96dc3f4ea1845d6ccdf5f9","assets/PrintSheet-HKzueGe3.js":"93ec37c4665db1205571e1e0f7697344e62b56350f10103924f4ed60c2b79424","assets/Qr-CCjag71a.js":"66fa066be0e89cb1171ce0aaf830b29e34153b372c0423c368e72a0dc6c1fa7d","assets/Refusal-AChNaTFo.js":"799c79cbff81512bf6ca12d6e397ad65739038b81ffe8e4186cf145636800eca","assets/RemoveBoardsSheet-jZC1TAl3.js":"537adb1ce89d88b82d3f25912727413325b3e45c86dd60b74c4c98d985e3b45b","assets/RoundSheets-nqqG99RC.js":"1697268bb274e723231270816568d097bd083faad19c9c66b1a8fda5731962db","assets/RoundView-Cf_slBmX.js":"f1065078f25c3616da0b3a53697242f599701e49ad3ae78a58728bac90fc47b5","assets/SectorsSheet-CiNn-bnM.js":"153d1cd5faf125234089444c78c98d8080f2b7872831d4ef805c50444d6deb89","assets/SetupGuide-ChwLEcIz.js":"de8b36f306b2ed7e58fc8f8fc539ff8494e9e2b74753c94c967e5adc8998ecef","assets/SetupLine-BqnV8qVT.js":"488b211ed7535cb2566c2c084f2c125a749e1b905f39a9c142c0683f0cbd055f","assets/SetupSheets-Cw3cbs6L.js":"48527091f8617617568cc4c8fc96fdd80f1647127ea0ecdc98833b3901ffc2f4","assets/Sign-CKiec_9d.js":"2a5eafbf2fc83f86f32ba5b5df488c4a94dc8ad896600b1351ad60d2999f86e8","assets/SoundView-CdDa_57g.js":"9a4781dc2d47fe8ab346c2689a1201613af011775f10e087c7573a4fab22b2ff","assets/StandingsTable-Bgx5fOEh.js":"857c4ce42a0c33e64547e988fa0a27e877e1d2d9931693e58db91f3ab49abd63","assets/StandingsView-BEVkYvYH.js":"ce19c69faf0090d47db28094de1257684d69499952ba18756d06b840835bc168","assets/StartView-D7KEf3iB.js":"194c2d59583a263289497756b006d1a6d4b6cb3ca8eb947d238abadce0505199","assets/app.svelte-DBdIlgQ3.js":"075405bd08778222101fc555988624900b7b50a564366e4e09e4b2713aa717ca","assets/catalogue-CY-ThWJ6.js":"25cf6b800d8f5e6f897601d0610389f8220b4356484c05a9edc2f7c07673d13d","assets/chart-Cp9pYTV4.js":"7840358a51e61f0c4815097b9eb0a22346a03038845433e8719dc98d11d89f35","assets/control-DBqoQUsN.js":"eb6bb98b6a175555a902e51baeb09e9bde400cee303bb1ac4fe9ef43e510f976","assets/de-lH3vAlrG.js":"428874d4fa28ee3c249ea3265e99877878f3182123866c4be74b17689b959db5","assets/decode-Cb39y0Pn.js":"3482590646d178854743c23b14afb1410a00a9d83aeebc40a0f0cfaa38ced9a7","assets/disclose-version-C6ORp4K7.js":"9865f5f2a801648a016b497cc8c4348cc1dd137d495e725a4353d7b3b8e24ee1","assets/each-board-C6Dor3vl.js":"179f017c278eede9e638560d4a708696d26110c81271fbd5237f9de3827efeb1","assets/en-DBXf-0X_.js":"3cfbbcceb9287323a4e2852f7c70de4ca51482822ce2137dc9236ea966ccfaa5","assets/es-D7057Y5p.js":"dd782c8f978e1678d0d3cad7c6cacddf3540fc09d802a81bcf2dbb023a742cb0","assets/find-DejvDIZW.js":"058e2332d250201e8decfed8dd441773a29f8dc5fe312c31586e0a14ae54ca1e","assets/fr-B5b1REik.js":"555e2d826622d7ff6badb3b2a43577d13b89aa572007c777219657d5566bf40f","assets/guide.svelte-BozRZsCH.js":"4255449a6205f84ff999666724d27617a8f4f4869cfbbeacdf7daa66c6af7477","assets/hold.svelte-Cn25MpGT.js":"d2835935c79d0125243046731b51df4612fe1568fa2bdde70ec8fcef1bf3f986","assets/index-Bv0vNEYf.js":"a5290012d6bcbbd5a3bc600a1104e60ae7be10552f2f6f3ecebb9731edb93541","assets/index-CFyplsQ1.css":"21f09a3b6e26dcaca8ba6cbca3bbd1ab83d86b3c3562b7a603410cfbda57f6cc","assets/language.svelte-BBPWo8IP.js":"38e9502dd85545c6c9961d02ce94744fca42271a1ae2b14d3707c8b24d536ceb","assets/pairing-DAk9mfsM.js":"08246ae059aabd3f55eec96851740594b46c3e72f624dba228ea693e1d8ebd76","assets/plain-BdVVEK8b.js":"e65c6905119b1d0742d070ba5cf909c8ffd2ff77cd56538d21f4a26b89f9ee8e","assets/plot-CD2inagw.js":"2823ffceac4ad594703c799462565954cc873469e0a89cb7f99c062f33c5b6bd","assets/plot-CnsZ1jie.css":"0fd9465202f6dfceac29e67c17e5ac9fb1b7ba7615c1bb08782391b791d9f1e0","assets/preload-helper-BQUUbbNx.js":"fdc866086eb8bad8ef0387d4b59cdb01dd1e306f42453ee5e6b8b456102f1818","assets/qr-D15vRg4X.js":"dc5d1a8c7c42148c9ccc3bec037a2ada79d0d693645e20ba58b697f8e8dab47c","assets/results-D4lfVhcR.js":"adb4bdcbce8c0d50b7815a2a6af10d699793d48df47567dced881ee7c8a1afc8","assets/route.svelte-BJFX9YYv.js":"d7c950ac8b4abfc57e3fca32bb140939ff227f574edd08bd39f568c014407c08","assets/score-gLSuJXfJ.js":"4f44faee9d0a607c44b19518454bcb6cd7f58fb9493380bca4f345db56889fea","assets/setup-BdmuKbNM.js":"08cd7fac04c7cd73e8f0a69fe8211ef75526b5e71bfcde64a271e0bfaded148a","assets/why-uY5SxVE9.js":"5f950250dbbe4c3dc593cddf17aa253cf2d47d2aca1b19dd72de9614b1bc4918","assets/words-DiEhP4DO.js":"6aee3b79f2109172510c924df02a66ad315a596fa9aad71c1339807c4d6eade1","icon-192.png":"838415dafedc437e618d32d08525468cc0fdc832bf8b311d376d4dfb3de5525a","icon-512.png":"7faf3903cef657028b908bc60849cf7e39d2c04e7a4f601207db8f05bc4858df","icon-maskable-192.png":"5418f3217631d12a0fffc9a77189cd8f323e9eae2a9463300574d843cf0f79e0","icon-maskable-512.png":"e377d815f184ce54e5ded9b314561b9fca03d3fd0085dfe9ba594263ec03e055","index.html":"a3106e492c5df64fb9bc17fbabaac36aeaab88e55e2342874f800171b2d7d664","mark.svg":"480ac5e0eac82fac8fd0e85ffc66a2077c90f4d35a7656d2b2ff96138f858017"};

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
