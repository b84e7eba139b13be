// The page's service worker: it caches the app's own files, so that the page opens without the hub, and shows notifications where the page
// may not (src/lib/state/notices.ts). It must answer for the files in FILES only: the hub's data never pass through it.
//
// Each build has its own cache, which is complete or does not exist. An open page of an earlier build finds its later parts in that
// build's cache, because their names contain a digest.

/** The build, and the SHA-256 of each of its files by name; filled in by dev/worker.mjs. */
const BUILD = "4186b55672688bca";
const FILES = {"app.webmanifest":"e80ce7a10f85db1bf865dd4c8b0034ba18b3974692a6eaed82d1f652ffb1e27b","apple-touch-icon.png":"8c1aebb921919b295d39564bddf446790e34f3fbd66f8681d4401878c489d39c","assets/AddBoardsSheet-BBDllTKD.js":"2a49c1033794f336e971d1032e421d5e3ea960bd05d04539ccfbca6b12f4aa0a","assets/AppBar-CwsEuRcg.js":"c8ab302bb1c296f3db6b8c2b7c5b4a2f27059d36907f79ea1a95fdcd7ee3c744","assets/ClocksView-BKGgZJBR.js":"8f878b6a2621a14b23264d2db0369155e2b099fb21a5dca378d9aa718f06d47e","assets/ControlPick-DWF6W3rj.js":"a02b0b880f97aeb0c2ea5e464d15642d1a1806030e58cd285cd3b7205b39f04c","assets/Dialog-acpGntWi.js":"c44090caa0496fb4ff8d5a5ae3ce82857dad883788261cb125c039da3d10066c","assets/EnrolSheet-C8du6TFU.js":"636d8ad17ee18b7f0968dccd6796491645b49869734662b6eff49c1106ba0a2c","assets/EventSheets-Bw4rw22I.js":"d7e355945f6dd7ad01a75951efe1c9941f1608c4a8bf8d49cbcf629d151dda51","assets/HallMenu-CtB9ipgE.js":"664a5c4419dd3b2f6112ef8548e4a25beb6a83b8e806b55c464f3782b21c8f70","assets/ImportSheet-6BqAiqiQ.js":"7da96d7e251e9540cc5f7c51a17c3f4d1cde079cd7c529028c11afaf27b9c7de","assets/ImportSheet-9qJ6Gsk0.js":"570c21b65c6edcacbcc1f7e45ae7dd7760c70a0cefac27337420951c868cb90d","assets/LoadFailed-BR8Kv0Lx.js":"1a4e70ca2a512d5b78007dd365e1fe6cb5b695b133dbf7d3fce2d1eb3f9f79ff","assets/NewEventSheet-CKa59y81.js":"c3056a45f76e34e8260081a359860355bdd2ea279ee288dd44a035b42eddb923","assets/PrintSheet-B9sfAvQn.js":"8b8fb096fd11b962ca589f64b8772222644997a0ad9b4b10f3fc35eee3aae5c8","assets/Qr-CCjag71a.js":"66fa066be0e89cb1171ce0aaf830b29e34153b372c0423c368e72a0dc6c1fa7d","assets/Refusal-Cp4B0NEL.js":"71a4dcfb984a1fd6d165c3433e681d32cfa13b5b8fb717ded0ae955c5a537724","assets/RemoveBoardsSheet-BzSsJoIa.js":"f68373c6999df7c300fda3bef6cfcfed6493f5cae1459c57a7a8f57c99188f45","assets/RoundSheets-DNo4rDMl.js":"bf79fac3c357aeaefca79bfec6804e95a2fa6320f074063efd4f3ba25cf5ce94","assets/RoundView-Dw6djctn.js":"4e3e60b199e484852327a75815c8584203476249618c3d58ab517a8e82151626","assets/SectorsSheet-BOYqsoyL.js":"16c3a588c27b049eeb40e0d7078486c43a19a30eccdb0662661677511eaa02b1","assets/SetupGuide-Rkrn89Uv.js":"a551945e22e190eb77f91d1bb0feb549f98f52e1fd5b2555b25f60089571c204","assets/SetupLine-CrThc3ge.js":"35cbf3e6c8d963b2d2c41aab994b044970ef206d1f1ba303a95c22d347d13654","assets/SetupSheets-D5pPq19S.js":"8f1360e8484ca83458542b4a325d4d9f66d1362e0b8f75954ac37e9a343e0d25","assets/Sign-CKiec_9d.js":"2a5eafbf2fc83f86f32ba5b5df488c4a94dc8ad896600b1351ad60d2999f86e8","assets/SoundView-BKyp71Pr.js":"c6e84601f5705e0439f78f6fee26b75ebed5ecad96fea16913e664f1a19f444f","assets/StandingsTable-SigP-QjX.js":"2d69713f045f87418d453749c2cad194550282ce9e0dda65ea44971ed2cae57d","assets/StandingsView-CILwyLfv.js":"72779f69ba92302e2bebd649917a23a2f857655b2486db4c9bde65f9cd548cd9","assets/StartView-ClohwC1_.js":"9ee457783957d5e0b88c089b716434d2f2b884c63e02822966bfc6c51e2a8555","assets/app.svelte-lZrxoQYK.js":"71ef242959056fe16ecbebddc7b8ecf8a2d0b87e20c48059b056287fac5b7283","assets/catalogue-OjzhWeYj.js":"aebd6f19bb11822d124fe9aaa30d504d3181ad16f274696bf4a6e6c777cecb4d","assets/chart-Cp9pYTV4.js":"7840358a51e61f0c4815097b9eb0a22346a03038845433e8719dc98d11d89f35","assets/clock-test-BnXUBy-s.js":"df220aa01c16bee0fc33b2fc9019e8c5caf895bd2c2081ac5c58d86ff38e8c7f","assets/control-7g-HujK6.js":"03acf2ff3b1636c8b95a8add43c5598f1fd13f68f56f69d1f91b65c221407ab8","assets/de-C58EPSwa.js":"64fedc51400da95312fbd599c7bdd0af81eb61e0a8d153e21cc918e9caf30b99","assets/decode-Cb39y0Pn.js":"3482590646d178854743c23b14afb1410a00a9d83aeebc40a0f0cfaa38ced9a7","assets/disclose-version-C6ORp4K7.js":"9865f5f2a801648a016b497cc8c4348cc1dd137d495e725a4353d7b3b8e24ee1","assets/each-board-CD0Qsfql.js":"a9240add14331255c5645147a825c1a775bad9e004b04e5dd8fb246f48cbca79","assets/en-MqnP2H0M.js":"0cc1357567e23358c8afdbfb0b5364dd1a58fad7bb0a673769aa37ab4d726d04","assets/es-BKk34PLi.js":"eacdc6856da5e2ddcf5d0894d3f93eb3503d48bb09d3c1c2c1bb1da1487e13b1","assets/find-o5PslNgo.js":"46296c6768c4dfea4686b2e4d8a7d23ac65fcdce9f1bec808d237563156feeb0","assets/fr-CHvexCEn.js":"6409f96b64271a6d530764a04e21dfafef39fc0a1c11a758ab84bc299733f34b","assets/guide.svelte-BozRZsCH.js":"4255449a6205f84ff999666724d27617a8f4f4869cfbbeacdf7daa66c6af7477","assets/hold.svelte-DLQePRb7.js":"7b102e70c8cd39c0ec0893995543e768258b9f999bcd2ebc36ba66fa4bf15726","assets/index-D-Zb-cYU.css":"6a185bd8a4797f2b18743997867d89bc06dca9684a80c701953f03d15d62d2d9","assets/index-KdbjV6Sd.js":"81d48df6639d45736f42858cbb28dbfc8d7b6db99e6e649a58814f8c0272d815","assets/language.svelte-DbZ7yfFP.js":"5716ad44d63d6f8bb280c8ffdd8ee1e270be9fffe4c274fc3d85991ec901e274","assets/pairing-c2xGVO_2.js":"b4c9c26bf9e5eed42988b356334800e519aaba582b4d4348af61393a653ef6f5","assets/plain-BdVVEK8b.js":"e65c6905119b1d0742d070ba5cf909c8ffd2ff77cd56538d21f4a26b89f9ee8e","assets/plot-CD2inagw.js":"2823ffceac4ad594703c799462565954cc873469e0a89cb7f99c062f33c5b6bd","assets/plot-CnsZ1jie.css":"0fd9465202f6dfceac29e67c17e5ac9fb1b7ba7615c1bb08782391b791d9f1e0","assets/preload-helper-BQUUbbNx.js":"fdc866086eb8bad8ef0387d4b59cdb01dd1e306f42453ee5e6b8b456102f1818","assets/qr-D15vRg4X.js":"dc5d1a8c7c42148c9ccc3bec037a2ada79d0d693645e20ba58b697f8e8dab47c","assets/remarks-BGl3A-A9.js":"0d7c5a7842bb16139163dc36553ae6a6f588738bd4dfe85c75d2519df8b7dd65","assets/results-BQycoTwr.js":"34039e00f408f18b4d8786f61d592dd8a0405e134ff38aefd0e00ecf7825df1d","assets/route.svelte-CHV0Ip3m.js":"c2a3832bc61346aeec47616f92535d0db607e84121e504238cf4d177227bd441","assets/setup-CmPEZMdY.js":"ed5fdf5340b1d875eddc6fe8d4adbcf86a166a650423f053d0c0a634977bfeb1","assets/why-Dl_kgfsc.js":"0ada57de381a9dbfb148ddfb4988303fddb9f146c6b1d093845939a4dcbde58d","assets/words-BhYDjfnG.js":"bc3fd9da17bd4fe9aaa0422e9d275e9723e0917b7e44b17a157407cdd758d7ef","icon-192.png":"838415dafedc437e618d32d08525468cc0fdc832bf8b311d376d4dfb3de5525a","icon-512.png":"7faf3903cef657028b908bc60849cf7e39d2c04e7a4f601207db8f05bc4858df","icon-maskable-192.png":"5418f3217631d12a0fffc9a77189cd8f323e9eae2a9463300574d843cf0f79e0","icon-maskable-512.png":"e377d815f184ce54e5ded9b314561b9fca03d3fd0085dfe9ba594263ec03e055","index.html":"6c79458e5898fd54410083a05aa7b87ac3cc783a8e3c858841f4e7f3d636945b","mark.svg":"480ac5e0eac82fac8fd0e85ffc66a2077c90f4d35a7656d2b2ff96138f858017"};

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
