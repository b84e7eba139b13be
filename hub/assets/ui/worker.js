// The page's service worker. It caches the app's own files, so that the page opens without the hub, and shows notifications on systems
// where a page may not (src/lib/state/notices.ts). It must answer only requests for the app's files: the hub's data never passes through it.
//
// Each build has its own cache, which is either complete or absent. A page of an earlier build that is still open finds its lazily loaded
// parts in that build's cache, because their names contain a digest.

/** The build's name, and the SHA-256 of each of its files by name. Filled in by dev/worker.mjs. */
const BUILD = "fb6f6e565934c3aa";
const FILES = {"app.webmanifest":"e80ce7a10f85db1bf865dd4c8b0034ba18b3974692a6eaed82d1f652ffb1e27b","apple-touch-icon.png":"8c1aebb921919b295d39564bddf446790e34f3fbd66f8681d4401878c489d39c","assets/AddBoardsSheet-CSRLnevV.js":"85e6dc3214d7ae839ded4b1b2d8111c09bc913f28dcd1c4d40325c09c575277e","assets/AuditView-q1Y6_NXK.js":"100da64eaee9c1b3756df75a8350310845bf297ed4f5294488911ad33bea68ea","assets/BroadcastSheet-CSIS0CFc.js":"ca81c9e8e348e8694cf3d53a5043e4bcdd7cdaa1b72cfa13605ec6737de68aed","assets/ClocksView-DC-sLmp4.js":"f48fa02ac96b08ca740dd761463af8b6f5d7fe28fa539339ae0ae61413861807","assets/ControlPick-DKEYM2ug.js":"44faa5230746f00056a129ac17fcc2baacbe1fb9b8b77b357d3f9a4c65bf7e45","assets/DayGameSheet-CnjxhAHT.js":"3c9dbcf33bf8f95941bf04bc68b641abbbe9778cf43cebbd503deb81526206a3","assets/DayPhaseSign-BRv4VZT7.js":"503d7883ff89c79b199dd3dcd4a2dfef0a6c2457282c155fbb9bfd1c74aa6cfe","assets/Diagram-D-AhohmP.js":"b139a1921874f40c4b91ae5e6976d432f9f32e5878bb205b8a3743971b08efb4","assets/EnrolSheet-CjNaDq3i.js":"487c5ffa583cdd846e0685dd884d643bbd85d940f2691f06299fd1a2b4ca8a23","assets/EventSheets-B2pBbtCB.js":"24036445ac36718c5f07b51ace03b219ca8b41dcbf599831fb4219dd41e6da62","assets/GamePick-Dyc2HILy.js":"3458594e06cac263822689c95a38beb45ccecd2e14596025a50133a6f79662f9","assets/HallMenu-Dj5c76ri.js":"ea168ae4b5e3a483e4bfcd49ee29491823a4ecc84d51aef3e7a55ed5668722d6","assets/ImportSheet-BbSHB0cw.js":"ed8b10891d9ab226e0ac7a0833c8bfa939f864515e37443647d350d03a2c6569","assets/ImportSheet-C8dcm6Vk.js":"cd78a5212d4a9ca6e6cb513199ead6f0e1e8aa4a61c92000a2b543de149c88cc","assets/LoadFailed-ByfO8VRD.js":"22e1be33b26b054aedd336af624544a4c854c34ae9b271af351d3ceef78d34a1","assets/NewEventSheet-BQP5yMCY.js":"0abf70684af1283541d89d55f094f690ed3f1fdcbf784bd21a29b0fb2f8f5bea","assets/NewEventSheet-C0L5ik50.js":"bca4dd330afe93194e92f8c98410937013f4aed2165351a8c288f75a852adaee","assets/PrintSheet-BgayciXt.js":"fb00aca4e2eea6e9c228db9c1fbaa4315d18ce28518a89c37d33a9a5122a21a3","assets/Qr-gLhVPpN6.js":"e0baebc0d15b349ee5c0a5a9eeb1e195a1de69063ebe51dcba1686e412985419","assets/RemoveBoardsSheet-C468sc6_.js":"1e5f96be1684c34fca065168b3c2d6e7d1bcf70dd66edd9295ce4c14ca0a7274","assets/ReplayBoard-BzL-yuVi.js":"37c2f2c31aa361258aaff0af97b6dce8ab8107343bf83af4016358c1808f738f","assets/ReplayView-D3AmJjS7.js":"2458c740dc637bb4a34d4ae72bf92675c98870370daf5866639e4b4c3230a2f7","assets/RoundSheets-DB_phsW_.js":"f90a1c4bfd9745c6d110cddc4c4769c3cbeb326aeb2ccbc3a0ecba65d56d775b","assets/RoundView-DW8U_I5g.js":"f57e61a59b734c927ea6581f472dcecf15b53f0342a83473aa6f6a7406e8db22","assets/SectorsSheet-g2fLd5jp.js":"6fd49ac92e6d48efd83ddf0568930464c1aafad1fe73db654eebf9b52b7e6b07","assets/SetupGuide-DmOmiZOt.js":"d9447b403b2ac7b4c659cd32fac38f0ab76bf53cf04693281f5cca6b170b5e0d","assets/SetupLine-DC7LUgWS.js":"547eb98c5681826e50f4ae2a7ac47ee1ccc1919add833f326fc713a29fefe7d5","assets/SetupSheets-_uhtsUe7.js":"233420bfe4ab8582b3a99eabdfc4b899c70427954990c7e1c24b8c909acc6ddd","assets/SoundView-BRHcMzo_.js":"45c60ee9b109de2dff11de48c41eab2ecce7a80f1fe3c28a0974c9696c583db4","assets/Sprite-Di9qf46E.js":"85e92507cd62f5a3b01984ebe84420be39d4802c999f787817e16d928aedf9d5","assets/StandingsTable-ByEFCtrv.js":"0aea61dab53702f757bbda7afe9391535b473cc5b550a613d8c5a26b578ad581","assets/StandingsView-BdXIX3uT.js":"3fe346cf41e67ff87db00979de208c6feb051e7dff41f930c787e345004fb819","assets/StartView-B8zAXWhg.js":"072b0372238e4ceff42380fee15a1cac3d002fc0e2e4c55d8f878cf2ec89df3c","assets/black-bishop-BEJxz6w6.svg":"b4343211dfa30fd8fb54f02bb6c088dfd64d586699503c7e4b38248546cab986","assets/black-king-CuVr95xE.svg":"324683f02ba4eb5e24cc9b8a9059d6f95d47bb1fff6c2ef0994d247ade9bb23f","assets/black-knight-DDE7OGzF.svg":"c9c51d6d11c2e3993bed1678cf744a205cf56f23c9d13df5af7ed664243e1c1c","assets/black-pawn-BVh5P20C.svg":"fbf212c48bae17e1438369893b8b053f5a22128301514168a7961d984cb02257","assets/black-queen-uBM8KzKr.svg":"11989a32b8925061ddc6dcc63f9706cdef1f0575161345fb5050d7bba703605e","assets/black-rook-DVdehaQU.svg":"6408c626e971e5cc09cbebc2f8c7b6e5db1ffe29ae612476ff474d53d0103c5b","assets/chart-V03Qn3xT.js":"6733c1d6bb53c858ce050d6b43323adca51ab2857424ab41fe8e9eb4fecaffcb","assets/core-Rtpfd2dD.js":"f8f9b021abfe52609e4b019e88342cae48f35bbd0a21e21d1cdd69c5007570ee","assets/de-CdoYR8id.js":"30c4d2897195de48cbe715b170a6c16db0cc3365de3a57aeb0f431a22547ff70","assets/decode-Cb39y0Pn.js":"3482590646d178854743c23b14afb1410a00a9d83aeebc40a0f0cfaa38ced9a7","assets/download-vWOnvHa4.js":"981768cfdc09e467df99d1d0077bac86679420b593c91e2b81fe36e906f44b18","assets/each-board-6zYlp0A-.js":"218e059c465a5f10bf06f7fde1be8a30603d8ed18a031e19d42136de0f14d55a","assets/en-D2A4973Z.js":"0f828aefb43c5bf4df030644927991f3a9bd82e21b7492d20229bd31ca1c2d1b","assets/es-BsrPkO1_.js":"9ba51909ea88d4fd0ce669fd20d1f8588ef1b1137878f0b76eba482b89fb6368","assets/find-PDcLrPU9.js":"3f9a9dc8aa716e83f8869bdbfaf176730b292a2df142d8f6adafcfd9b6f4b843","assets/fr-WBjEIW3H.js":"153320ede38182bc77326f5dc8a6b0778567789d5ce370ea62c514ba8ad3b1a6","assets/ground-DZh6TZy7.css":"145435c907ce305321de8dad299b341d852a4486f9c40bffb8206690a934b3e9","assets/guide.svelte-DcP_1LnA.js":"25e9737b9f30a2ec14cdf5bfcfc391c2841e5fd66453765b7bec690dedbc5dfc","assets/hold.svelte-Cvg1mGej.js":"a84d0c3f578238cae4e78b81722ca9ed849a77128a443049494b87d98c2adefb","assets/index-BPBtpEkV.css":"6fed51726bce063da97a373eee057d1c0dbb8d1b24d42f4c5f741af7ecfa248c","assets/index-CGtJCR_T.js":"f42c0d8cfdce958ada2693bb9b25fa9e820bcf39aa91ee187a66f62c3061fcf3","assets/player-CV74imcr.js":"4b7b51fe2dbfd5304116a75712ef42200cb65046171983af3228c1449520f84d","assets/player-DztfTeor.css":"815496fe5fb1e39991bea81cf8ddf4498e00e91a18ef51ec07a665b43e684c65","assets/player-u2jTDI5j.js":"2027c991ccfc41407b0a5cc836cd4abb15049556b95d2c8702c9f41d86e2d073","assets/plot-CnsZ1jie.css":"0fd9465202f6dfceac29e67c17e5ac9fb1b7ba7615c1bb08782391b791d9f1e0","assets/plot-jLAVKa9c.js":"b5c76397ffccb831a6cdeb43aa8b9fa9c3a4d621e278cd944e6471a9da138709","assets/qr-D15vRg4X.js":"dc5d1a8c7c42148c9ccc3bec037a2ada79d0d693645e20ba58b697f8e8dab47c","assets/record-C3-3he61.js":"6272ba2c99dc1b1b2a5227f5838b35dfafdf07643f5a04f1037aa1f0d83ec4a7","assets/setup-D1OTdw5a.js":"9f937dc1fc951ed2e7490593fe0ec20965c7dcf40d0a905d6ebac4d8e326386d","assets/time-used-CSvMUra-.js":"a01c099115d12447dcd00bf1ff63b5c0c9f557cadfdb42f8687a233eb53c48ce","assets/timeline-CB8vNPEA.js":"799e95107d994c450632f65b9f6caf97910d0edb14d16e875852f7fe0aa7fdfd","assets/white-bishop-BDXOP_ZU.svg":"a0341e416a85b6bd05020bd9a3615f0d4359ebc776cfd9b2bbf2813ca1b73e0e","assets/white-king-BPFRxpdJ.svg":"3f7f546c1c672cd4939c8577bdb53359517939a6719b4d65fb90c0c3a6e9d0ed","assets/white-knight-DQjoc8hb.svg":"1407efd029cc1a59410db0a6b8c596817914c9c5edae303be7374b3d25dd82b4","assets/white-pawn-BABWKBQq.svg":"c2d652c07fcdb4fb983ad26e45908e631e955bfd84cbae3e93ef5c26f5ad74ab","assets/white-queen-baFt1AQz.svg":"06cd2e8ab40436c3f7f841642e65cabf27c1a554ecdf67e984d778ad74c169ac","assets/white-rook-BpCBUtyS.svg":"c7033117813319e3c477629d337516e051ac2a5438460ad3abf21a8d9bca5bb0","assets/words-DukHOpSE.js":"6820df72f18305cf2f9079f3c1e3e76bd4061d9569a1510eb3825b6da1451167","icon-192.png":"838415dafedc437e618d32d08525468cc0fdc832bf8b311d376d4dfb3de5525a","icon-512.png":"7faf3903cef657028b908bc60849cf7e39d2c04e7a4f601207db8f05bc4858df","icon-maskable-192.png":"5418f3217631d12a0fffc9a77189cd8f323e9eae2a9463300574d843cf0f79e0","icon-maskable-512.png":"e377d815f184ce54e5ded9b314561b9fca03d3fd0085dfe9ba594263ec03e055","index.html":"100fce2081f6d543257ba53b7761a47eafd7635290d486e539df7c2c9ee16b86","mark.svg":"480ac5e0eac82fac8fd0e85ffc66a2077c90f4d35a7656d2b2ff96138f858017"};

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
