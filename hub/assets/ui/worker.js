// The page's service worker: it caches the app's own files, so that the page opens without the hub, and shows notifications where the page
// may not (src/lib/state/notices.ts). It must answer for the files in FILES only: the hub's data never pass through it.
//
// Each build has its own cache, which is complete or does not exist. An open page of an earlier build finds its later parts in that
// build's cache, because their names contain a digest.

/** The build, and the SHA-256 of each of its files by name; filled in by dev/worker.mjs. */
const BUILD = "50e92aa094598337";
const FILES = {"app.webmanifest":"e80ce7a10f85db1bf865dd4c8b0034ba18b3974692a6eaed82d1f652ffb1e27b","apple-touch-icon.png":"8c1aebb921919b295d39564bddf446790e34f3fbd66f8681d4401878c489d39c","assets/AddBoardsSheet-CpagYtrJ.js":"8f97543ed21688aab31b3a17a4c7ad14c742fdd2c91e6f6bfb05d4013df04588","assets/AuditView-wGs9uN8B.js":"f937d9d262bf7671319fa462b26273a43fb35544e5ac5d130626eddc2e69feca","assets/BroadcastSheet-DmctRRB7.js":"818bbe0803098f17458a61ff8330fa36af167669ab970276247afad7f4ecfb35","assets/ClocksView-DEl1j2pT.js":"b76a6f914a76fd86405cc855872c2204de288174e0d42172c55ae78fd051beb2","assets/ControlPick-DFsgFGzP.js":"a60059e4f2769ad7af35bbf09673b9f61cad857f4598df595e0e4d221e6ae8bf","assets/DayGameSheet-DxtzIzW5.js":"b5c092f6a5c49e62636cf081941994927e0660e06f46985f8cb2b65d36c6ae6c","assets/DayPhaseSign-Brx-QCNq.js":"77c3d396d5ce977507fd13d736d7e158a55f3c5b4ca2f8a5d807ee42006b7140","assets/Diagram-X9hy-ybi.js":"4f984575aad1b1540cc6f75fb89242de7d0423953da99b18366078deded6c244","assets/EnrolSheet-Z0vShrDT.js":"523dae54e167e40111e4a858ebe86656aa56c0854ea062b769a8aff0596f4f11","assets/EventSheets-XQGTboqJ.js":"0a4fd656339124794e68ce3625a24ef7061ee3bacd25319c3982bf2f25f19a8c","assets/GamePick-CvpMVm2W.js":"ea47a07b4bf8e0748ed77ca69fabbb5c4758e97a66fbfbd87eec4507d6a44b77","assets/HallMenu-BuLh58Hq.js":"352008ffdb04474c3086d708126bb5a6a750bbcf78562069117c465bbab332a0","assets/ImportSheet-Bir2CwRO.js":"2b67f73b28051fd75a587f9732a795cf801616ca80f1c173e5e6b9f4dd6d791b","assets/ImportSheet-CuOK1Bkl.js":"535f7f7338a4d90abd34d089c829f2b91da7898f956e8bfe685f0ccb3a914cfd","assets/LoadFailed-BNmw4TLv.js":"9f2a0737be143fe7728f7a1ee41f3bf1f47b97ea8736c9713a177f8f6628eea9","assets/NewEventSheet-B7KikW7h.js":"21b7d187ac0d0963df4e46a7e4a29825e7d8cd7c6451d6dddff2633f58a51952","assets/NewEventSheet-jlgoEOhd.js":"1308971971582a8dd2b501c138ce76d01f88605e54284d1f09ffa213767e49bf","assets/PrintSheet-C0uavT1t.js":"a0a08b08ad848cbab4ce89c26a9c71716eab47a399c06d79727fe41019b82210","assets/Qr-BFGFCMeu.js":"ca0f184639e86e36ebe675e07644721cbc57eae946df8e06260739bdd9d479ed","assets/RemoveBoardsSheet--fpU5-1u.js":"14a7989ae3806bf4a023f4988e6ff735db1d632262484f368c42178ea73189ca","assets/ReplayBoard-rFIKI16w.js":"3440f487a4678b91f9df6d2ac2b67c49de1e9a21e8800270a3dec73ce8cb0c3a","assets/ReplayView-V9aIVbIl.js":"1445a7c8da14a2272c51270b93d97def78ff3b6de54f66f444ba717414ba30cf","assets/RoundSheets-Cgj7IeEn.js":"b1376be0746512419f0bd52dfe4f2d0abc6c9c74ce88e416562d56bd4364b74d","assets/RoundView-93Pe-xbP.js":"723adec36ee5992d769e285b2ca48268e2ee2b095c3582e8e710349f1baccc87","assets/SectorsSheet-BOhtb5Tz.js":"ecffac288066fefa96f82db1788bcf12355ce1c0327581b0121a4c7a7e250f4c","assets/SetupGuide-CQ22MkCO.js":"65efad9e59844f92eb8bfcda11acecd431717c1f26e59241a8fe474d07e6314c","assets/SetupLine-CqtBQNXz.js":"54da6fcb36e9660de222cb32312ad1b2ec497aba6a43aadd7fef8f7cd4f0c7e0","assets/SetupSheets-DtZgjQpS.js":"f17f076d10e6e024ed4777fa0cea2fb1ada35288ab6a6c2790ef2586c72f0b70","assets/SoundView-BykugbfD.js":"163f2682d995a22a7e560d47cd804b15f44072c068dcfb03bf7325b9743ccc30","assets/Sprite-4udTJOJc.js":"d0c462e701d6606c88badb0f10f0d3e86e2f9eb389bf0958152fb73c3ee7fc92","assets/StandingsTable-Dm1aPXmm.js":"ee3871ef7d631e82575980afdcb006b659520b0f626f49292e46b038a1b2d973","assets/StandingsView-B-bwvJuU.js":"9cb8bd9a9f02011c0b12d415dce87ad043481b2e85960ca840d79b6a7bef2489","assets/StartView-gSIjUT8K.js":"baec9b598ce92d1bc7cb298e0f58d379c900e6890bdf61162e54c11307617476","assets/black-bishop-BEJxz6w6.svg":"b4343211dfa30fd8fb54f02bb6c088dfd64d586699503c7e4b38248546cab986","assets/black-king-CuVr95xE.svg":"324683f02ba4eb5e24cc9b8a9059d6f95d47bb1fff6c2ef0994d247ade9bb23f","assets/black-knight-DDE7OGzF.svg":"c9c51d6d11c2e3993bed1678cf744a205cf56f23c9d13df5af7ed664243e1c1c","assets/black-pawn-BVh5P20C.svg":"fbf212c48bae17e1438369893b8b053f5a22128301514168a7961d984cb02257","assets/black-queen-uBM8KzKr.svg":"11989a32b8925061ddc6dcc63f9706cdef1f0575161345fb5050d7bba703605e","assets/black-rook-DVdehaQU.svg":"6408c626e971e5cc09cbebc2f8c7b6e5db1ffe29ae612476ff474d53d0103c5b","assets/chart-Bt1obnF4.js":"6d4491c03f4079ac242cf02a34244c786e5509b7f057a6d73592a275145a6e3c","assets/core-CgmDiHzG.js":"25458c018947c1ed8ebc6e28a016326a83f7287c69c27abd01300e311f0f53bc","assets/de-BhLY0JSt.js":"f01e02f1d735b591030a3b964033a7ac26a745c2406958cd688f0e013d2fd8a3","assets/decode-Cb39y0Pn.js":"3482590646d178854743c23b14afb1410a00a9d83aeebc40a0f0cfaa38ced9a7","assets/download-vWOnvHa4.js":"981768cfdc09e467df99d1d0077bac86679420b593c91e2b81fe36e906f44b18","assets/each-board-B5KBDCIS.js":"a1c3426204aa9d4797fa079b52c01bfa91be9d46d82e231540dbbdac5d959f01","assets/en-ByzMYHUW.js":"9c10f4dbbd8497e6b3d060a4a1ed8541788aa9667c44d1ac62a241d06d1a337e","assets/es-C3LWDWvo.js":"084b4447003df8067e751c9c2e23cea223fe0a9c58f31bd50b91506e608e903f","assets/find-35N6EXsW.js":"fe8a43f43a5e40799553c4977611b56fe2a539fbbd63af3bc5e96310dfcb972c","assets/fr-CxhNEaen.js":"d75dfec4d399ee81db8ca4c1ce1fb87d473950a604eb68d16c8838fd32c4d6bf","assets/ground-DZh6TZy7.css":"145435c907ce305321de8dad299b341d852a4486f9c40bffb8206690a934b3e9","assets/guide.svelte-Q6ofsefK.js":"733810bf1d7d41478570d67ae4ef38399e6c7f86384e8d28d8c04f38cb02ecd6","assets/hold.svelte-D1tzmahw.js":"5f90be37d06d40a77dd865d1faf197791ea51e47c155322b574dc1546dd773f8","assets/index-CA0TzLs9.css":"ddba0d134b05b038a9ad21de7612e24ee54ea16c40f0ddf074c7ed86633075de","assets/index-ui1XugzH.js":"7d97d580bfd70ceba8973f77f07da2b9a4d4919c7bd084d75ec4774e2cb4f55c","assets/player-BJt47V2G.js":"fd7a3a1e62b071847fb7f96b5f0d01261f89466924ba610c750af49f8aaba5c1","assets/player-CRtuysM2.js":"d6c4d7430e0da70fd5d87e9a28e110653668717b382f0a55337485ddff8de81d","assets/player-DztfTeor.css":"815496fe5fb1e39991bea81cf8ddf4498e00e91a18ef51ec07a665b43e684c65","assets/plot-BvcEVOZ1.js":"208f9081ed70cf4d53f8c27596825c718fdce69973ef293127a3c0f04f77ef67","assets/plot-CnsZ1jie.css":"0fd9465202f6dfceac29e67c17e5ac9fb1b7ba7615c1bb08782391b791d9f1e0","assets/qr-D15vRg4X.js":"dc5d1a8c7c42148c9ccc3bec037a2ada79d0d693645e20ba58b697f8e8dab47c","assets/record-BVJ6z_oP.js":"0dbed3c5f146be2541d05ee7686906771bed4040fbebbadbb7226d81a28a19e1","assets/setup-BcyERV5R.js":"8685259be84defd574d4df2186500b60f2cfd93c4abaa7afd34045be945b74ed","assets/thinking-CSvMUra-.js":"a01c099115d12447dcd00bf1ff63b5c0c9f557cadfdb42f8687a233eb53c48ce","assets/timeline-CENIEWws.js":"f5ce2ac31a60453332ca925f61fc43f216365b068faef72d5d58ccd9876c238e","assets/white-bishop-BDXOP_ZU.svg":"a0341e416a85b6bd05020bd9a3615f0d4359ebc776cfd9b2bbf2813ca1b73e0e","assets/white-king-BPFRxpdJ.svg":"3f7f546c1c672cd4939c8577bdb53359517939a6719b4d65fb90c0c3a6e9d0ed","assets/white-knight-DQjoc8hb.svg":"1407efd029cc1a59410db0a6b8c596817914c9c5edae303be7374b3d25dd82b4","assets/white-pawn-BABWKBQq.svg":"c2d652c07fcdb4fb983ad26e45908e631e955bfd84cbae3e93ef5c26f5ad74ab","assets/white-queen-baFt1AQz.svg":"06cd2e8ab40436c3f7f841642e65cabf27c1a554ecdf67e984d778ad74c169ac","assets/white-rook-BpCBUtyS.svg":"c7033117813319e3c477629d337516e051ac2a5438460ad3abf21a8d9bca5bb0","assets/words-D3zCbhLe.js":"192e5b76ffb6ac18af779dc330f479798b5686ded212a6394aa63a3b04a7ea2d","icon-192.png":"838415dafedc437e618d32d08525468cc0fdc832bf8b311d376d4dfb3de5525a","icon-512.png":"7faf3903cef657028b908bc60849cf7e39d2c04e7a4f601207db8f05bc4858df","icon-maskable-192.png":"5418f3217631d12a0fffc9a77189cd8f323e9eae2a9463300574d843cf0f79e0","icon-maskable-512.png":"e377d815f184ce54e5ded9b314561b9fca03d3fd0085dfe9ba594263ec03e055","index.html":"b4db95953d8e655cf662d932ef842809b910ede304a1c3efbd316dd95aae2c64","mark.svg":"480ac5e0eac82fac8fd0e85ffc66a2077c90f4d35a7656d2b2ff96138f858017"};

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
