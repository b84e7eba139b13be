// The page's service worker: it caches the app's own files, so that the page opens without the hub, and shows notifications where the page
// may not (src/lib/state/notices.ts). It must answer for the files in FILES only: the hub's data never pass through it.
//
// Each build has its own cache, which is complete or does not exist. An open page of an earlier build finds its later parts in that
// build's cache, because their names contain a digest.

/** The build, and the SHA-256 of each of its files by name; filled in by dev/worker.mjs. */
const BUILD = "6157dca5143a53c7";
const FILES = {"app.webmanifest":"e80ce7a10f85db1bf865dd4c8b0034ba18b3974692a6eaed82d1f652ffb1e27b","apple-touch-icon.png":"8c1aebb921919b295d39564bddf446790e34f3fbd66f8681d4401878c489d39c","assets/AddBoardsSheet-CCzYk_VZ.js":"23cd584c6fb6c3571eac7149fe5eefdf95aa8d4a606fc75ef6e0784be77f0d37","assets/AppBar-VfzyTxcQ.js":"ac281e1e2ecc96ce65042ef25493c389be29cec7978b832920cd886598e8773a","assets/ClocksView-BmGbxCZA.js":"2aefb1d1a2ec544506585679e043a049c16a43eeaaec26deffe3056dfffc9033","assets/ControlPick-qrMfEOMl.js":"f946923dfe1bb25193e121c43b4b493afb2f67694d97f3ad7b282b910f2768cc","assets/Dialog-BGSELnmQ.js":"e76ade1ff865390de145d48ca6c6205f8e80c7c5d46fd2f4f44837d6ac410fdb","assets/EnrolSheet-C_BGp3j_.js":"33efc0fe60b5a81f83243a2e225f6edd28f70d86a22f89d4c8cf972485f87bcb","assets/EventSheets-DgMFA4-h.js":"458834bd614ecce8c578936da09d6cf0e706ceb479210d750162e7ef8c6d0db3","assets/HallMenu-tPH6ztc7.js":"f36fc38120e9f885ac0d48a3c6d1b980ad4b7f82400f4c2ff9bcfc09aa39ea8f","assets/ImportSheet-DRBLpJsz.js":"1f850c94890bb2dc89e92f8a29c813cf786afbc9d23b9f872ac71b5da6184442","assets/ImportSheet-DZSxmzNU.js":"577e099ac68631f2d5b3b7ec76a862eda52f60af090fe405ad11b68b006c5e38","assets/LoadFailed-BJ8J6m0W.js":"75a9bbcb8eb93c132ff5e27d8352bb2b136285d1a45eb2096615d8174959fcbe","assets/NewEventSheet-Bl1rz8NH.js":"37ef4b02955ead40edf508a1120e23c8b04e63e0d46440ffcf643c795b8769e1","assets/PrintSheet-CdkFO4Zd.js":"6b6e6a46637fe08ee76f9166c2958864b96bec2d31358cf7be39c4ff26fd16ef","assets/Qr-CCjag71a.js":"66fa066be0e89cb1171ce0aaf830b29e34153b372c0423c368e72a0dc6c1fa7d","assets/Refusal-CpTPeEKc.js":"6f09f7428834ddde9b60ba560cbfbf4f842f12fc36303bfe56a44dfb3eefa4a3","assets/RemoveBoardsSheet-CPZnEhXK.js":"df8f8ef65ec8c0ffe280d193b3022bb367e9c12d988420b65e80311f61f8e2bd","assets/RoundSheets-gCW9M22a.js":"c8066a7ba097adc11b9c910dea0384cfeb9f3b6c42e279213b94e77eeb1d6121","assets/RoundView-TS9KAdE4.js":"1fa0b90abc7ea5d6809d474282b9dd53512529f964e20a3225670e94d3a189d1","assets/SectorsSheet-k62iHI_2.js":"60ce66883df46e3eaf3dbe4dc178fba44a17b225033f3a0be252cfb8566359b0","assets/SetupGuide-AT1Zb4v_.js":"85e61cdb8fe1e64089e3ad86888e5cd2e0d2fa94a38da695625d8a6a6ee47318","assets/SetupLine-CBW5s-e-.js":"d06cf8165087493091366324e43a5b43be780002bba9eb04d593f284f31f48af","assets/SetupSheets-Cm3plmxe.js":"9bc989287e61fb4c127137f3c07ebbc4578f8cf8ab0235d899991053d8a28748","assets/Sign-CKiec_9d.js":"2a5eafbf2fc83f86f32ba5b5df488c4a94dc8ad896600b1351ad60d2999f86e8","assets/SoundView-fX1EPaSd.js":"20ef28b033bfe6ebcd9769a96ed1812f24ea034e79bf355ba3f6b63ffe1d0329","assets/StandingsTable-DogYnmdO.js":"5302676733f2fb732127a84b5c5c8eedb913633169accb4f84b339f1b20c953a","assets/StandingsView-cetnDhg0.js":"58536299d7cc17197a1f11c674f297819f69d688fb3c18d0fc1a56b7c01ab106","assets/StartView-rvYBeHlh.js":"fdcdf822aab24af6bd92b484a998dbf089b74116c28ebd2ca672967ad65515ff","assets/app.svelte-CvaAOpIl.js":"4c1a2e638940f9288e1a569b83eafbf94f2de12d3d05e4235490fdcaa78f4003","assets/catalogue-DQnYpGeE.js":"e4f11f8cb6cc35bb8ab512b6da62639fe5bd3a2fd53b0be8e9b6ac2de67972a3","assets/chart-Cp9pYTV4.js":"7840358a51e61f0c4815097b9eb0a22346a03038845433e8719dc98d11d89f35","assets/control-7Tiob7rV.js":"50fa462c0662eff46101b7288f3324741e5c020402f30968c637c161acab6312","assets/de-htyV6_fb.js":"418a8cb164930c5973c1079d96475fa3d81b08ed255102d0cf70f0f1b07f0953","assets/decode-Cb39y0Pn.js":"3482590646d178854743c23b14afb1410a00a9d83aeebc40a0f0cfaa38ced9a7","assets/disclose-version-C6ORp4K7.js":"9865f5f2a801648a016b497cc8c4348cc1dd137d495e725a4353d7b3b8e24ee1","assets/each-board-BUOUIO7O.js":"749d259ab042f10bef7b50101997d5195e395e7edf2f901e7998a4d2b3054ab0","assets/en-BCSbo_s1.js":"438e5be0c7cc5915ba4058318a2bb6b8b748d3da8b5e647c5827d547726c5800","assets/es-Cb43EQQs.js":"b60cc7483e11919ee84edcbb322db54b6e067af4a3e913089f10d209ea67cd50","assets/find-CR-JC0vB.js":"db1e512b9e6c41a839943a1cf92dd782e06a857c70c080d85694d502fa3ab73a","assets/fr-BcgiEypv.js":"46b6832c1853734b0debb38fabf5794995be330034f649e5e8ca1b20d41234a7","assets/guide.svelte-BozRZsCH.js":"4255449a6205f84ff999666724d27617a8f4f4869cfbbeacdf7daa66c6af7477","assets/hold.svelte-Bx-qpmeW.js":"9516153ae5a44b18077fe2c2abab978ec1231dbc76418147393b659640a61041","assets/index-CFyplsQ1.css":"21f09a3b6e26dcaca8ba6cbca3bbd1ab83d86b3c3562b7a603410cfbda57f6cc","assets/index-MOLjE7cT.js":"b0761d571a366916198bdcb6121857866d2f20af4a1741b78b8d96a91efbc596","assets/language.svelte-5ZeEQ3nf.js":"0abda50e0275e1406dbefb58483fa3783683ec485a6cbc3222da813ab76743c0","assets/pairing-CxYvhqcm.js":"bbe721cb7c501c17766c78ac3e5b454b52445ff66111dbf094b2f01d74f2d68b","assets/plain-BdVVEK8b.js":"e65c6905119b1d0742d070ba5cf909c8ffd2ff77cd56538d21f4a26b89f9ee8e","assets/plot-CD2inagw.js":"2823ffceac4ad594703c799462565954cc873469e0a89cb7f99c062f33c5b6bd","assets/plot-CnsZ1jie.css":"0fd9465202f6dfceac29e67c17e5ac9fb1b7ba7615c1bb08782391b791d9f1e0","assets/preload-helper-BQUUbbNx.js":"fdc866086eb8bad8ef0387d4b59cdb01dd1e306f42453ee5e6b8b456102f1818","assets/qr-D15vRg4X.js":"dc5d1a8c7c42148c9ccc3bec037a2ada79d0d693645e20ba58b697f8e8dab47c","assets/results-Cq84Vpbs.js":"0685264755170e63dbe7e851f3a406a867d07e3deda0a48a0b41fc5dd256751e","assets/route.svelte-BVc5j--j.js":"a12eb04466229bc937cc6e7fe9fbf8d6eb68f278b845f3c93b30f8641ad76c69","assets/score-2tH48QXA.js":"619beeeb4dff10b8be071f58bdc244dc50ba2a952b0e005dcb850b52dd102308","assets/setup-Bsn2MDGh.js":"daa3c250c901adb7cef67886bdc02ed05cf815206322ec5568d100034eacd115","assets/why-fbDSkZCN.js":"2d2ea731ea27a9ac98e351d5aa5e48b6cc6fc905651ffe2a56836a3e439629b6","assets/words-lj3_FgTA.js":"c427f038d392a4c0974c80f9d63ff43a7be10e0d70065e0030aad834c7db4596","icon-192.png":"838415dafedc437e618d32d08525468cc0fdc832bf8b311d376d4dfb3de5525a","icon-512.png":"7faf3903cef657028b908bc60849cf7e39d2c04e7a4f601207db8f05bc4858df","icon-maskable-192.png":"5418f3217631d12a0fffc9a77189cd8f323e9eae2a9463300574d843cf0f79e0","icon-maskable-512.png":"e377d815f184ce54e5ded9b314561b9fca03d3fd0085dfe9ba594263ec03e055","index.html":"3784374bfc9a9cc5ba68723fe4be286511a41188ac4c83d4431acb4bb9da88b6","mark.svg":"480ac5e0eac82fac8fd0e85ffc66a2077c90f4d35a7656d2b2ff96138f858017"};

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
