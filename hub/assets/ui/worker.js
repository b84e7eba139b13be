// The page's service worker. It caches the app's own files, so that the page opens without the hub, and shows notifications on systems
// where a page may not (src/lib/state/notices.ts). It must answer only requests for files in FILES: the hub's data never passes through it.
//
// Each build has its own cache, which is either complete or absent. A page of an earlier build that is still open finds its lazily loaded
// parts in that build's cache, because their names contain a digest.

/** The build's name, and the SHA-256 of each of its files by name. Filled in by dev/worker.mjs. */
const BUILD = "bf0b0d8e4ad0395a";
const FILES = {"app.webmanifest":"e80ce7a10f85db1bf865dd4c8b0034ba18b3974692a6eaed82d1f652ffb1e27b","apple-touch-icon.png":"8c1aebb921919b295d39564bddf446790e34f3fbd66f8681d4401878c489d39c","assets/AddBoardsSheet-BtzRo4Ng.js":"e9674ad3c60890b625dc73db4715893d94b6fa65ca2af4c4612f66bda7af7c59","assets/AuditView-BozWeXcX.js":"d06c57ab2759d4a9b1e70f76b2ae15270eeacf5acc2d6f856741e02e8e0f117b","assets/BroadcastSheet-D32lE7ou.js":"b469a80669b81bf67e180dddbf42f232bb6523326306b89117997958e2e669db","assets/ClocksView-DeT3OSt_.js":"e7937e5d16a2a8571fc362e41bc02d5da4141db23ccde15aa3a0ea66a7890be7","assets/ControlPick-CkgPusVV.js":"8001861b2b88df77ec48bc0e862b0e2b519991fe621180b21b14997bb65165e9","assets/DayGameSheet-yMyBqkeD.js":"1be9d6e5dba5521a6e47d7506f3b5ee42144a45e7327531f39da20380a3b0934","assets/DayPhaseSign-Cl-FvKmK.js":"f8f78a55f9ab5ed96b80b024a44b06f2716855bd450eae26f8bb946444cc199b","assets/Diagram-DPHkFkxs.js":"df9e5ac9a5e5c7f521b3c84d3a099f6e0fe7fcf526152cabc0a35c8db7fe7281","assets/EnrolSheet-B9UJ0TBg.js":"7dbef03cb10bdcea4a88f574c41cd9b6c8955f8c6cb1546a3c127d3db81f7c9e","assets/EventSheets-CWWfGymO.js":"305f7ddcf496fbef4f0f5c8894e3a080d0258824d8032552553ee2559bfc46e3","assets/GamePick-m3veE0bx.js":"c4ffb4be8c3309331047391fb1b88534db481bbabbb445c10c0a9e66622dc188","assets/HallMenu-C7SYk1uB.js":"437833af22eb76a228148fd3bf2f821169cd43e9e63575c5911db8545b1e5fb2","assets/ImportSheet-BhXOqQnw.js":"5f13ba455f7799a1910249497cf0b06c09b4c6cc0abc9bfbc3bb8e2c076832ff","assets/ImportSheet-DkMQPVlQ.js":"65136baebb7bcee30f0a91f70e969b4203a5b62d7514c72e2606e3b7706c785b","assets/LoadFailed-rDItcpfG.js":"28d4159b2621959180fab766bcf60e29529cadf816c9575e14bcd094909a5073","assets/NewEventSheet-B4-kqYTb.js":"6bfb67ffb2b37cce1bcd98000ad9710ef3e565d8e4854f80d42c693f2085f7c7","assets/NewEventSheet-oRvRbzPn.js":"506c56415d1e199373bff6fe9bf96e40a36cc9697d128477b0e9c9b996406a76","assets/PrintSheet-CCuKaqAi.js":"d348458ba83865336dcbd973b389cf571a728ec9fbf7de1d955e5c92e014c83c","assets/Qr-DMsCX-np.js":"7910bc210b4261ed619e54b67367e736c80e9c234ec760a49dab9f3cbf8a228b","assets/RemoveBoardsSheet-ZE0IgKKq.js":"165d27d6f0075348245648f983e34c118a8bf743ca862241b7c10d1eae638c5c","assets/ReplayBoard-uCMO37j0.js":"f3a24db6267cd1bf4af5a6effcabde789226fb53081795ff7bec131c4ee83636","assets/ReplayView-CvPqy9ME.js":"8088635f8ecdb703f836009808f97fa56c6f76448b5586b7857c1326f87f036a","assets/RoundSheets-DDAXtyYK.js":"78070ee66c21c4df8e7b11fb063d9e6aaac438f4b6ebad4409bfefd5ecc12acb","assets/RoundView-DNfzGO9I.js":"7325b89b294b7a1af06fad953b89bb648e43114efc3158ce62dfb85adb043c80","assets/SectorsSheet-CiJe6H-H.js":"4045595e46ae75c29fcda8b0795d7316af5f9291defe013207e20baf58bed229","assets/SetupGuide-CEPjS50Z.js":"d9e41a0533483d3413bb704c8145c4234e4ddbb95a0772d03f1f00f6a33826e4","assets/SetupLine-BkjP7qFO.js":"54c420de1b7a9d112e221fec6797847be01ae7d50efe64d2e15dc300323aa7a1","assets/SetupSheets-BOYZDsrI.js":"a7a1389dc042ec17a1b4f35600c2e84be43bd815fad9458630c56d6bb550f7c4","assets/SoundView-De-yEqrE.js":"5eafd1a7653cc88e46e797f6c2bdfaf5edc8e0f186c2a5209be1a5cd40df2778","assets/Sprite-Bzya-pWv.js":"0a983b480f87899ac7226658774bf385c9143f946b7f6fbd72c3c85fe65210eb","assets/StandingsTable-BmVsqCd1.js":"80192768f36c6d1c75200c99c0715d7ae84f329a4c75f8abf29be53299f865ba","assets/StandingsView-GeiBqzjX.js":"5af4bb76fd38e8ce66553ff5e89ffc29e694d713a3cce8d1a904ec9c306d0e28","assets/StartView-ukxedzqd.js":"779400da8c2f03d6c76c3668fda68b239fa61395bce405b2f3d4e927dc983263","assets/black-bishop-BEJxz6w6.svg":"b4343211dfa30fd8fb54f02bb6c088dfd64d586699503c7e4b38248546cab986","assets/black-king-CuVr95xE.svg":"324683f02ba4eb5e24cc9b8a9059d6f95d47bb1fff6c2ef0994d247ade9bb23f","assets/black-knight-DDE7OGzF.svg":"c9c51d6d11c2e3993bed1678cf744a205cf56f23c9d13df5af7ed664243e1c1c","assets/black-pawn-BVh5P20C.svg":"fbf212c48bae17e1438369893b8b053f5a22128301514168a7961d984cb02257","assets/black-queen-uBM8KzKr.svg":"11989a32b8925061ddc6dcc63f9706cdef1f0575161345fb5050d7bba703605e","assets/black-rook-DVdehaQU.svg":"6408c626e971e5cc09cbebc2f8c7b6e5db1ffe29ae612476ff474d53d0103c5b","assets/chart-V03Qn3xT.js":"6733c1d6bb53c858ce050d6b43323adca51ab2857424ab41fe8e9eb4fecaffcb","assets/core-DQjOnnsL.js":"70c03883a62457ee665797bb2d7490f4044216567c315ca2fb0c3a78d71d2658","assets/de-CdHp7W57.js":"0926760cfce820d55fb29a20931be379a9c216e3bda2972924c19c2c96d33f2b","assets/decode-Cb39y0Pn.js":"3482590646d178854743c23b14afb1410a00a9d83aeebc40a0f0cfaa38ced9a7","assets/download-vWOnvHa4.js":"981768cfdc09e467df99d1d0077bac86679420b593c91e2b81fe36e906f44b18","assets/each-board-B_o3AaS1.js":"8300cec3cc77a1123c9a12d853095d12e82a4ae83e59de79a65fe024ea479003","assets/en-TcvWb41a.js":"cd3cec5e540a70f1364e3e4044bea1339fd089841e5078243a35a4f4ed41300c","assets/es-BajtAGZ9.js":"1c9981c35d61e94f6502656403dafefaae87673e7d36ce7a16d2376cfed5934c","assets/find-C9BfNweC.js":"740379b985f74a0f7431cfd1d178b5f4c6c97c5882aa089da27b3b7c555adb02","assets/fr-BrKTu5gu.js":"c8661134b2f502d818c137c123fcc88df0311732760a77bc1df727a203c613e4","assets/ground-DZh6TZy7.css":"145435c907ce305321de8dad299b341d852a4486f9c40bffb8206690a934b3e9","assets/guide.svelte-BGIbkkKL.js":"b54489e423cdd8904b6d00712436122b7c1d8a125c03ffbaa55b02591e1860d0","assets/hold.svelte-D4kL55hv.js":"92f75caffc06a9474dae2a65ee74b6d81bc650a9f11e08633b5524d954d84f52","assets/index-BuT-T-jQ.css":"ba8535fc7b440fa4a935f7fb26430dcd505f9c4555a2f9bb806b4dbb346fc175","assets/index-F2PoEMC3.js":"2bddfe74141c84f61220155299eceea7cc22e64481e7c5e4fd9ba42118bd5b32","assets/player-BAx_YUUg.js":"f5f1bc665fa1411aa80a5aadcf8f59ec26c3e7b5def56663d89069f1a9b7b359","assets/player-CH0Og_QP.js":"8217052929c3f31766845138366f7edf8a5d8b2c5ec5737831203d85abddb0b7","assets/player-DztfTeor.css":"815496fe5fb1e39991bea81cf8ddf4498e00e91a18ef51ec07a665b43e684c65","assets/plot-CnsZ1jie.css":"0fd9465202f6dfceac29e67c17e5ac9fb1b7ba7615c1bb08782391b791d9f1e0","assets/plot-jLAVKa9c.js":"b5c76397ffccb831a6cdeb43aa8b9fa9c3a4d621e278cd944e6471a9da138709","assets/qr-D15vRg4X.js":"dc5d1a8c7c42148c9ccc3bec037a2ada79d0d693645e20ba58b697f8e8dab47c","assets/record-BDNnQ2ym.js":"8b59fc3e5ef1adfd8ddcef9bee8e7fb3c57d30db415c789da2a6e4dd3b0b7825","assets/setup-536ZPS64.js":"c0554c5b2e3b07fc7400158299b0ea5e810e2031bc074f6ebb0c233abe37be6b","assets/time-used-CSvMUra-.js":"a01c099115d12447dcd00bf1ff63b5c0c9f557cadfdb42f8687a233eb53c48ce","assets/timeline-CbwEX4FH.js":"1e570a464eba9b3bd13f634e9216529065b9dc77e787c5be4087a77193151de8","assets/white-bishop-BDXOP_ZU.svg":"a0341e416a85b6bd05020bd9a3615f0d4359ebc776cfd9b2bbf2813ca1b73e0e","assets/white-king-BPFRxpdJ.svg":"3f7f546c1c672cd4939c8577bdb53359517939a6719b4d65fb90c0c3a6e9d0ed","assets/white-knight-DQjoc8hb.svg":"1407efd029cc1a59410db0a6b8c596817914c9c5edae303be7374b3d25dd82b4","assets/white-pawn-BABWKBQq.svg":"c2d652c07fcdb4fb983ad26e45908e631e955bfd84cbae3e93ef5c26f5ad74ab","assets/white-queen-baFt1AQz.svg":"06cd2e8ab40436c3f7f841642e65cabf27c1a554ecdf67e984d778ad74c169ac","assets/white-rook-BpCBUtyS.svg":"c7033117813319e3c477629d337516e051ac2a5438460ad3abf21a8d9bca5bb0","assets/words-CJzqV5ts.js":"1fc638eaac92658c12645d5f228485c197a0c47692de614b4383b4d89b1d6e03","icon-192.png":"838415dafedc437e618d32d08525468cc0fdc832bf8b311d376d4dfb3de5525a","icon-512.png":"7faf3903cef657028b908bc60849cf7e39d2c04e7a4f601207db8f05bc4858df","icon-maskable-192.png":"5418f3217631d12a0fffc9a77189cd8f323e9eae2a9463300574d843cf0f79e0","icon-maskable-512.png":"e377d815f184ce54e5ded9b314561b9fca03d3fd0085dfe9ba594263ec03e055","index.html":"f5018481a4d42cf0a52ad16b0fa7331602aac8f9bde05eef0749cc28cfafd917","mark.svg":"480ac5e0eac82fac8fd0e85ffc66a2077c90f4d35a7656d2b2ff96138f858017"};

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
