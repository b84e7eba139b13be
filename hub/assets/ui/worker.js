// The page's service worker. It caches the app's own files, so that the page opens without the hub, and shows notifications on systems
// where a page may not (src/lib/state/notices.ts). It must answer only requests for files in FILES: the hub's data never passes through it.
//
// Each build has its own cache, which is either complete or absent. A page of an earlier build that is still open finds its lazily loaded
// parts in that build's cache, because their names contain a digest.

/** The build's name, and the SHA-256 of each of its files by name. Filled in by dev/worker.mjs. */
const BUILD = "e9c2e5c8375091c2";
const FILES = {"app.webmanifest":"e80ce7a10f85db1bf865dd4c8b0034ba18b3974692a6eaed82d1f652ffb1e27b","apple-touch-icon.png":"8c1aebb921919b295d39564bddf446790e34f3fbd66f8681d4401878c489d39c","assets/AddBoardsSheet-Cys3PflP.js":"32d8d901825ce3b8b8f72ac14f577235399efe0c4b2b6940bd2d74f5b0c0c110","assets/AuditView-Qyhq9yH2.js":"74a59119813cbe044901472a5c8547e4b9994168679191616e4b6d99a182fe65","assets/BroadcastSheet-DJw8ViOB.js":"156e87855046ee7f31fe8bb90736e0810247285f2baa8be96c8baa88bee2fc25","assets/ClocksView-7gWoggpp.js":"306586857112357f09ef40816e8d778561ebf8636022399c14b3279d4a14eacc","assets/ControlPick-CP4vQtVc.js":"8cad65e3959bee12cee02853d437be534008e5c7c3af981be8357d26947c57cb","assets/DayGameSheet-4Yu1m3e5.js":"3ee18da0c9ef7417e87a2cc912c6fc54652a1d8f99f1801bdace03d063138cf2","assets/DayPhaseSign-BiSMSJjB.js":"727f3335c1e694a313149d10baaa6f823d45d637b6764c592a880096a3e22f69","assets/Diagram-TS32xRio.js":"aba31d66f4a9a9ccb00b85d73ba6bc021e95a4dea8b6b6e38793a7e0e03ad4af","assets/EnrolSheet-CQJNpkOG.js":"4e186b0dcc0f2535091cf1d6401330081bd71d99b6003e33ea012ece5c45fd82","assets/EventSheets-CWFEuNzI.js":"4a7b541d53c9f754f0dbf108b697722ed1456f642b928196d77f2fa3ba7ad7ed","assets/GamePick-CRUSMiKm.js":"13e2f0218b810c613df7b83b47b785d6b548af30e1add175da67cb523c2d9cdf","assets/HallMenu-VtAceNcP.js":"e82025bafb13ada2c5d091e149f5c7fec6a5cb8521770d75127fafa0e3574890","assets/ImportSheet-CLNlQc-s.js":"ba8f6d50ca5104d4f0edef3efa52d7246ea2710f6c7b23a3c130292e646b26ae","assets/ImportSheet-DCT3ZVcw.js":"838fa4575e51ea721973c9cc4b7df8ff2dbfdbe2fcf282405565347b6432bccb","assets/LoadFailed-DvFR4aQV.js":"7fc9ab5a27041a4cd223b5d8a5478532148e390ea40d4486fb4f0fa1f6ece3f9","assets/NewEventSheet-CeiVeqfg.js":"0f17a3e92b8634777e6aa08cae95026bddf367b992dc198568b97a45df91d018","assets/NewEventSheet-DV0DFHcj.js":"4c46ae337e2d7d54f46a550194ffdb743b2a0e8e07df6a47dff256a05a69f630","assets/PrintSheet-BxiNHuXu.js":"32c2752637f958edc2300c4cf1c9845bf0f8f789caf275590bbfdd8ccb4203f2","assets/Qr-D9VdsMTu.js":"171674e4a3ed595ef869c38c0bbcec8ce98dee5b655f046accaf481616c94ab1","assets/RemoveBoardsSheet-Cq3RgFiE.js":"b8a9c9792d0d8bb89b3541d6e51810c77c2594fefb955c13afda154d276553aa","assets/ReplayBoard-Ct2JVMR6.js":"0c99c422e42e9d5d145f5d25a20068d66dda3e957ff5d9baf849929920e02fd5","assets/ReplayView-C7S8xSBN.js":"1b43972f18a082e12ab1d5ebcd7c07f1fd65e11e5a0a27594826650af982a819","assets/RoundSheets-B-bEp46I.js":"500a29926a87829f9b24de3d5c7712d6f0a09a88b9a9b691933ff00b69c0b002","assets/RoundView-C_jTzCX6.js":"728d5f93996c0959d7f11c45f48175437604351073bb2898f41ca58eadcaa04c","assets/SectorsSheet-DOgKmiz7.js":"c83048738b661935525a1e7007160b9e6de0185ebc4f8f913deedbd63f69c30c","assets/SetupGuide-j2brFx4U.js":"86040b0fd429bba09f99579911505c097647f3900b7c5fc9d1bac4441f4a6bd7","assets/SetupLine-DHGmtzXc.js":"66017b60d6a19d6767e55f9d8db7b1fabc66cf64fbf0c0a0b94f10b6965a79c8","assets/SetupSheets-DtgHjJw4.js":"aeb0242b9a94ac7b7452ec1baad1eac568ec88170031ffa852fd000039163b99","assets/SoundView-2m58Yvm6.js":"494a3672b767d348c114937ae5d0f47935321f5635d9c65b80d08b702e9bd936","assets/Sprite-BIDNHPWr.js":"58d6badca800b8a81970f5fe24e42815340cfc2c80ff34dae51e818821c06b50","assets/StandingsTable-CkhRulnH.js":"7a18095c5fdf68ec232c8facc3f342a9a40914c0f919e718fd82641b49576252","assets/StandingsView-PobsiDsx.js":"6dc4200a371d873cab2d5c6f6e618b8601fbeb7944e676a1f4460eda0d46b8fb","assets/StartView--d_AZR2b.js":"1400c58e626bfb4c26ff74a03aa18d79ddf52ac7e871f084f96f89ff073b36b8","assets/black-bishop-BEJxz6w6.svg":"b4343211dfa30fd8fb54f02bb6c088dfd64d586699503c7e4b38248546cab986","assets/black-king-CuVr95xE.svg":"324683f02ba4eb5e24cc9b8a9059d6f95d47bb1fff6c2ef0994d247ade9bb23f","assets/black-knight-DDE7OGzF.svg":"c9c51d6d11c2e3993bed1678cf744a205cf56f23c9d13df5af7ed664243e1c1c","assets/black-pawn-BVh5P20C.svg":"fbf212c48bae17e1438369893b8b053f5a22128301514168a7961d984cb02257","assets/black-queen-uBM8KzKr.svg":"11989a32b8925061ddc6dcc63f9706cdef1f0575161345fb5050d7bba703605e","assets/black-rook-DVdehaQU.svg":"6408c626e971e5cc09cbebc2f8c7b6e5db1ffe29ae612476ff474d53d0103c5b","assets/chart-Bt1obnF4.js":"6d4491c03f4079ac242cf02a34244c786e5509b7f057a6d73592a275145a6e3c","assets/core-CHYiD68r.js":"a4074ae63d57a5535c36eaf2ef94e5a38bfd0fbe8c05cc1aa898c0ab772fa9db","assets/de-BSEWqYXz.js":"5b7335dc058157f7206714c026b1b3d9f82f6a8cb3ba8636177256e8342ef471","assets/decode-Cb39y0Pn.js":"3482590646d178854743c23b14afb1410a00a9d83aeebc40a0f0cfaa38ced9a7","assets/download-vWOnvHa4.js":"981768cfdc09e467df99d1d0077bac86679420b593c91e2b81fe36e906f44b18","assets/each-board-VM2wJsAS.js":"9aa2af765d9b38b266afbd7b25cde124f95e6db861809731b06dccb4a50bab44","assets/en-BFsXKRF2.js":"bec4639bac985ad3cc074a17d5737c9f3815cb9a2f79d7aa1152b1c034d46145","assets/es-D_-ZFaBI.js":"05d8364ce3fc1f4706c66529041d7bfcc900ad25ef9161ca083706e4e7dcaf38","assets/find-B7ZufFkc.js":"7c6a95615f3f7310adba9102aeac4378017f286a1980b2f8c9afbdad41637ecc","assets/fr-D8d7ODkv.js":"101833c79c1ed0d4665ee0ee03d5d5d616204fd7fb109306faf9c21db190ca4a","assets/ground-DZh6TZy7.css":"145435c907ce305321de8dad299b341d852a4486f9c40bffb8206690a934b3e9","assets/guide.svelte-EPmc4rgT.js":"3de6afbc1af8737f0c3a6bb5ab819e9750921b0d398467e4f188d5cb1e765971","assets/hold.svelte-BFdW3kj1.js":"506f72f85c9b528fe207851900a2338704bc92c0562b46d4bf68c66262fbde5c","assets/index-Dd-V1WWi.css":"aafab937896acd136b744b8ac64db9f83d506034868b88ae41c23b233125d6da","assets/index-jk7q4v2a.js":"5b489cc803c125a5d8b5e30b3853d3b3bf3a8b411a91831807ec886bbaab223d","assets/player-D411ceQY.js":"3d9cb6545bdb85bf01c21625b2376989788297f49ab811e0a7aa8ef4a67913a0","assets/player-DztfTeor.css":"815496fe5fb1e39991bea81cf8ddf4498e00e91a18ef51ec07a665b43e684c65","assets/player-wA9VoVTL.js":"f1c2dfc5721908e3f0360733687e4e6c8bbb63434ce7bb65638f61db343607a4","assets/plot-BvcEVOZ1.js":"208f9081ed70cf4d53f8c27596825c718fdce69973ef293127a3c0f04f77ef67","assets/plot-CnsZ1jie.css":"0fd9465202f6dfceac29e67c17e5ac9fb1b7ba7615c1bb08782391b791d9f1e0","assets/qr-D15vRg4X.js":"dc5d1a8c7c42148c9ccc3bec037a2ada79d0d693645e20ba58b697f8e8dab47c","assets/record-BiDy8S5S.js":"5069067665a5d7f42b26457eb49cb3f39c5c545e0c27378c465279911f3c05b1","assets/setup-DuWz0QVb.js":"58d5a401ac32abb4cb9bf6c6fecee5ef5a18aeef0ab01bfca7f514e2e6dab295","assets/thinking-CSvMUra-.js":"a01c099115d12447dcd00bf1ff63b5c0c9f557cadfdb42f8687a233eb53c48ce","assets/timeline-CG_Cc1p2.js":"f3cca73d55747b855a97ee1d7735130874ef1b70d627332219d0deb89a1d9218","assets/white-bishop-BDXOP_ZU.svg":"a0341e416a85b6bd05020bd9a3615f0d4359ebc776cfd9b2bbf2813ca1b73e0e","assets/white-king-BPFRxpdJ.svg":"3f7f546c1c672cd4939c8577bdb53359517939a6719b4d65fb90c0c3a6e9d0ed","assets/white-knight-DQjoc8hb.svg":"1407efd029cc1a59410db0a6b8c596817914c9c5edae303be7374b3d25dd82b4","assets/white-pawn-BABWKBQq.svg":"c2d652c07fcdb4fb983ad26e45908e631e955bfd84cbae3e93ef5c26f5ad74ab","assets/white-queen-baFt1AQz.svg":"06cd2e8ab40436c3f7f841642e65cabf27c1a554ecdf67e984d778ad74c169ac","assets/white-rook-BpCBUtyS.svg":"c7033117813319e3c477629d337516e051ac2a5438460ad3abf21a8d9bca5bb0","assets/words-D-i_JP71.js":"5b941e1fd43f2c533d7ac345a5aef0381814bf4844cb7f6d2bb4f7bc4dc301ae","icon-192.png":"838415dafedc437e618d32d08525468cc0fdc832bf8b311d376d4dfb3de5525a","icon-512.png":"7faf3903cef657028b908bc60849cf7e39d2c04e7a4f601207db8f05bc4858df","icon-maskable-192.png":"5418f3217631d12a0fffc9a77189cd8f323e9eae2a9463300574d843cf0f79e0","icon-maskable-512.png":"e377d815f184ce54e5ded9b314561b9fca03d3fd0085dfe9ba594263ec03e055","index.html":"2c6d07df1df3377ebf18adf05fbe90cd5a5784b62e324655cc7df4534f0f29ad","mark.svg":"480ac5e0eac82fac8fd0e85ffc66a2077c90f4d35a7656d2b2ff96138f858017"};

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
