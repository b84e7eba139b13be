// The page's service worker. It caches the app's own files, so that the page opens without the hub, and shows notifications on systems
// where a page may not (src/lib/state/notices.ts). It must answer only requests for the app's files: the hub's data never passes through it.
//
// Each build has its own cache, which is either complete or absent. A page of an earlier build that is still open finds its lazily loaded
// parts in that build's cache, because their names contain a digest.

/** The build's name, and the SHA-256 of each of its files by name. Filled in by dev/worker.mjs. */
const BUILD = "5a7fe268c2753789";
const FILES = {"app.webmanifest":"e80ce7a10f85db1bf865dd4c8b0034ba18b3974692a6eaed82d1f652ffb1e27b","apple-touch-icon.png":"8c1aebb921919b295d39564bddf446790e34f3fbd66f8681d4401878c489d39c","assets/AddBoardsSheet-C6mW7Fkz.js":"c892832d421c264707f2bddbba7461de71cfa3ce0ae5a3761e76b1d92f7a289b","assets/AuditView-KtMTFNPk.js":"d8d4942f091a21714d0f0e0c22b649997050f537148ccdbe817202e2c99fbb3a","assets/BroadcastSheet-CVQdvqpw.js":"255780a821e00250af370ddebc923551ea886a6a778c9d33b1cb3402eec9f6d0","assets/ClocksView-Qu4gpldH.js":"8af8624297e8bd554ed85cae143104f65a7e748941151f5c81455e3336bed696","assets/ControlPick-DXdSFznV.js":"8e31d32ed283b1b0d08cdd83e11e280378514901cabdacf108cbcca737fdc589","assets/DayGameSheet-DIPuM-D3.js":"c784bc7e1dbfb732ed92c038829c47c63c5c0e69fdcef75634c4dc807b4f9dfe","assets/DayPhaseSign-DUb63VA9.js":"3d9302927e924e6bc5d16552fe358af53d71b52ee27d156bbdab0b06ae1099b1","assets/Diagram-BlLiIUOG.js":"ae2a154ae8ef8f86a18b96ac4810abea92fe99db5722279f517e2812b447dddf","assets/EnrolSheet-C-zHPxLg.js":"358ddced83b8c51e0a7fb6c4484437636d81dce2847e69f773d2135f0c05107f","assets/EventSheets-BtIbiuzF.js":"c37a6f37418ef88e30c5d922b8e184fef47c1cefef3100c86d4c31ba06d2d240","assets/GamePick-BhgAwGoG.js":"5d8e44b320f7b9b10c3c5031ed03786f14e5b357ee0cca3bd6044ad4db0a1d7c","assets/HallMenu-BRwkDQ7y.js":"1a6131bab68d3ecbfc5e7d62a4366b5a4f2b485704b1a62202cd7037c1de5107","assets/ImportSheet-BbDibkwF.js":"251ffafa17fddbaf68a08f5f41ad8a8da52a30a49ad4b391767bb88ecc5e0d2b","assets/ImportSheet-dbh9hZ5W.js":"47d99b12c6a0fd923fdd569d20e29ccf8ebde9231b6be54a5d384da35df7dffc","assets/LoadFailed-CP4RY8Wh.js":"6d0aa28796824d9456281432d16e450d6768deeb913ca8bfcccb3ef610f4ec08","assets/NewEventSheet-BDl7Bk8X.js":"2f3a3a964e035d271f71514fbedfbe6dd00db3e3fb1d90725f25e4115aab8643","assets/NewEventSheet-C_Qg_OuK.js":"c7adc47a954a0a76e1e5a206d8182d7f234bb4ea367e8c651e45c87028c15272","assets/PrintSheet-D-ZX6dYk.js":"c239258e65a31335d8e4c43d57dd35eea1c43d8aef2efd2f2b38958713b459d4","assets/Qr-CAdVmPl3.js":"3c77249400d23ee55f2ceab0e23783780d3da1e631f1ec75d4428e79ec2992fe","assets/RemoveBoardsSheet-CBOYuPZb.js":"5fd3ebf562f622d37b53c2d51375e3779b69a3d9a59920ec53c43effd759cec0","assets/ReplayBoard-Dk9uk5T7.js":"fb0d1306ee90aa40dd9e029ca5dc3ab7db2242e6c322d9cd31a577943d4e9a8c","assets/ReplayView-Bj55JmEA.js":"4d8f2030c0563774b20cece9cd78c77775f6b43545a574037e84ee471d71da35","assets/RoundSheets-DCwfGp9m.js":"a184b3c5826acf3a58e1af329f9e60a8dd6578cc0758101968e3773f577586d5","assets/RoundView-DKLRjG4u.js":"26e4ab2181a9f9b05d4d92b6e7b0e3d07e36c5d106adf4876be13ec49ffdf771","assets/SectorsSheet-BcVlteYg.js":"2860ad9422503f685c9ce256f49cb1ab5e565b8e3cb768cfdae7d55f3414eec8","assets/SetupGuide-ZEGIJpSa.js":"bd3a5c4a4838b740818fbafa9f4f01b022981a2a5e6286226526c7b0cd4cfb5c","assets/SetupLine-DjfboNmp.js":"97965817eec0a8ccbc12f241f255d05d5d7a0c15abb01b7d7ebd66c905595544","assets/SetupSheets-BjJzlS2Y.js":"afb93e552068d3baff4c121ba5fff5997084c47d30782cbd299faa1d9251a409","assets/SoundView-F4Cuyaqm.js":"f53bc94e45a49a41ee42e420c4f05a184edc074b8e30dbc05651de5cd39b9536","assets/Sprite-Cb9ZWGsO.js":"217f4048232e10b265b1b3773c9ccbff3b4503f105f3ef0b6848f86336f3151f","assets/StandingsTable-Dg_lZ0SF.js":"1806e12adc4023f556df99edd44986047e19dd02da50d06679c6db4300a724f5","assets/StandingsView-CJpa2CJE.js":"c565b8e95f8b35ec25a155af961ff19e9c1fa71de93773fb9650298f70223123","assets/StartView-DG2YpDEy.js":"24e25289bcaa6ba5c683fb3add4f6f45e38a291c16895c87fdd3c05bb9a8b2c1","assets/black-bishop-BEJxz6w6.svg":"b4343211dfa30fd8fb54f02bb6c088dfd64d586699503c7e4b38248546cab986","assets/black-king-CuVr95xE.svg":"324683f02ba4eb5e24cc9b8a9059d6f95d47bb1fff6c2ef0994d247ade9bb23f","assets/black-knight-DDE7OGzF.svg":"c9c51d6d11c2e3993bed1678cf744a205cf56f23c9d13df5af7ed664243e1c1c","assets/black-pawn-BVh5P20C.svg":"fbf212c48bae17e1438369893b8b053f5a22128301514168a7961d984cb02257","assets/black-queen-uBM8KzKr.svg":"11989a32b8925061ddc6dcc63f9706cdef1f0575161345fb5050d7bba703605e","assets/black-rook-DVdehaQU.svg":"6408c626e971e5cc09cbebc2f8c7b6e5db1ffe29ae612476ff474d53d0103c5b","assets/chart-V03Qn3xT.js":"6733c1d6bb53c858ce050d6b43323adca51ab2857424ab41fe8e9eb4fecaffcb","assets/core-alQMh7sF.js":"5303508ad71b3d1343ffa8b9fb8b41c7cdbdbe62916e13ad097c6f643fe1e1ac","assets/de-BPjPIfz6.js":"28002a015b6e9ce4434af9fa2967d63312268be37a3327eec0e1d8fece3faac0","assets/decode-Cb39y0Pn.js":"3482590646d178854743c23b14afb1410a00a9d83aeebc40a0f0cfaa38ced9a7","assets/download-vWOnvHa4.js":"981768cfdc09e467df99d1d0077bac86679420b593c91e2b81fe36e906f44b18","assets/each-board-BnFk2vPc.js":"4d602b5badee009e26c2bd2b5160f7386b8302442fc2a179b0c834f79d37e3f4","assets/en-L-BjuQWd.js":"d1cafc57771efa62fc54efaf79500dc4de2d5ca418fdc7fbb88afbcce373e1f4","assets/es-CgdN708c.js":"1e2091ca38b387a8e0ecd17016b95d14a8f89af11c85ddef35e2b4c4a8b72bc8","assets/find-DAYSG6By.js":"2866b9158902f73407e340bafa2e85af56670f60e45c32c60a49091a2c637a1b","assets/fr-vR_-g3sL.js":"4ae83639c621370173bd92bafd5cd7bfc99c2ff7ab97c936544103485c510a8f","assets/ground-DZh6TZy7.css":"145435c907ce305321de8dad299b341d852a4486f9c40bffb8206690a934b3e9","assets/guide.svelte-BhYp8gUC.js":"a34b630a7ab9d3dc95a62f5a7b4468be6d54a56ac03bf602ff12e4962886df64","assets/hold.svelte-B43WbsRQ.js":"925c23ca623d6e7f86b206ced8f540d08dc5b36249a0ec798d78e87bc31f76d4","assets/index-33RL5oCi.js":"4d41bccd285c0ef5917c5ec9f8d06475b873ab9b86590ddf9e721f444583f36e","assets/index-fGdv8k4m.css":"0e24e7905739b846ae2a20901dd0f9b44d0d1e427088f99f5f3099ae4da94c8d","assets/player-4K62Fdm6.js":"9ac46526dff8bea068f9b120b6a53a91482cc44289bc81fc49e6d54c751a320c","assets/player-CcVlFnwi.js":"993d6342f4f32cf3e515f791c21c67d9154da8aeb0bb22e07d68fce15725f72d","assets/player-DztfTeor.css":"815496fe5fb1e39991bea81cf8ddf4498e00e91a18ef51ec07a665b43e684c65","assets/plot-CnsZ1jie.css":"0fd9465202f6dfceac29e67c17e5ac9fb1b7ba7615c1bb08782391b791d9f1e0","assets/plot-jLAVKa9c.js":"b5c76397ffccb831a6cdeb43aa8b9fa9c3a4d621e278cd944e6471a9da138709","assets/qr-D15vRg4X.js":"dc5d1a8c7c42148c9ccc3bec037a2ada79d0d693645e20ba58b697f8e8dab47c","assets/record-CF64vLW-.js":"f27f0eaa4f4710bf77a7681b0b216d16d7c271e34e2f63187a1aaea3907f2dff","assets/setup-DZ5XlwfE.js":"88c195214e02d1f6865807fc15882937fe6eca6d862fc1c3ae25cc6a344e8042","assets/time-used-CSvMUra-.js":"a01c099115d12447dcd00bf1ff63b5c0c9f557cadfdb42f8687a233eb53c48ce","assets/timeline-CtumUXz-.js":"dbf0dd57c27cfbd2aa370714b8e9ce314796a005f629b3fac67e5943b05ce6e1","assets/white-bishop-BDXOP_ZU.svg":"a0341e416a85b6bd05020bd9a3615f0d4359ebc776cfd9b2bbf2813ca1b73e0e","assets/white-king-BPFRxpdJ.svg":"3f7f546c1c672cd4939c8577bdb53359517939a6719b4d65fb90c0c3a6e9d0ed","assets/white-knight-DQjoc8hb.svg":"1407efd029cc1a59410db0a6b8c596817914c9c5edae303be7374b3d25dd82b4","assets/white-pawn-BABWKBQq.svg":"c2d652c07fcdb4fb983ad26e45908e631e955bfd84cbae3e93ef5c26f5ad74ab","assets/white-queen-baFt1AQz.svg":"06cd2e8ab40436c3f7f841642e65cabf27c1a554ecdf67e984d778ad74c169ac","assets/white-rook-BpCBUtyS.svg":"c7033117813319e3c477629d337516e051ac2a5438460ad3abf21a8d9bca5bb0","assets/words-C-wTGX-V.js":"3b20c42b6c6927e5dd058b39f28bcd02970491fd642e9126afb1ae4d08ed711d","icon-192.png":"838415dafedc437e618d32d08525468cc0fdc832bf8b311d376d4dfb3de5525a","icon-512.png":"7faf3903cef657028b908bc60849cf7e39d2c04e7a4f601207db8f05bc4858df","icon-maskable-192.png":"5418f3217631d12a0fffc9a77189cd8f323e9eae2a9463300574d843cf0f79e0","icon-maskable-512.png":"e377d815f184ce54e5ded9b314561b9fca03d3fd0085dfe9ba594263ec03e055","index.html":"765c4a730db99bdc58ca6e037f2b47edd7f53b12f398aeff82958d70037e8861","mark.svg":"480ac5e0eac82fac8fd0e85ffc66a2077c90f4d35a7656d2b2ff96138f858017"};

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
self.addEventListener("message", (event) => {
  if (event.data === "claim") event.waitUntil(self.clients.claim());
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
