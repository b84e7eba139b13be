// The page's service worker. It caches the app's own files, so that the page opens without the hub, and shows notifications on systems
// where a page may not (src/lib/state/notices.ts). It must answer only requests for files in FILES: the hub's data never passes through it.
//
// Each build has its own cache, which is either complete or absent. A page of an earlier build that is still open finds its lazily loaded
// parts in that build's cache, because their names contain a digest.

/** The build's name, and the SHA-256 of each of its files by name. Filled in by dev/worker.mjs. */
const BUILD = "944bfcdd6f987f16";
const FILES = {"app.webmanifest":"e80ce7a10f85db1bf865dd4c8b0034ba18b3974692a6eaed82d1f652ffb1e27b","apple-touch-icon.png":"8c1aebb921919b295d39564bddf446790e34f3fbd66f8681d4401878c489d39c","assets/AddBoardsSheet-DS_dI9eL.js":"7ec134fe83077e7bbeb12cf1f3ce1dfe3c19339932c24523fabd2d6cae080bf8","assets/AuditView-BFHGdtT-.js":"15d1eaeb4d3cf65a77276c8e394a09915414e9b89e7c9960ea331e58282af901","assets/BroadcastSheet-CXJzCRSQ.js":"35a99aa805118484501cbd99b0e094ac1f57d4e396653e8f0de7b9e26ea0e933","assets/ClocksView-0maaUHJ2.js":"833823e61e37cd50b04548c4914cec809b036393a0751948042e406ebf42a362","assets/ControlPick-BqZuEOIx.js":"4e9dd4db0446f034141f45467b22788cdbed89cab9bb670add001b2e7d0a7703","assets/DayGameSheet-B89eRYTY.js":"68f8a9313bf32d43c9b6cc78c441f19bd0a80db829aab6da3980dbe84469e0ee","assets/DayPhaseSign-BD1v3H_j.js":"88a9f5a56164a780c5641a7f9882d2f1fcfd8ba21a195ae2360e64724c73a796","assets/Diagram-xkgT25Kx.js":"3156cadf23ad0e44edf2f2d724c682b682c21650641d4af60912b75aa4adaaf7","assets/EnrolSheet-OTLtXDrI.js":"67c9970cc234e97393d8216a08dfb5453fad3156300bc5e8bca84fe28f351749","assets/EventSheets-C5Q9dy7s.js":"353bf56c8350f3642ae309d1eb786a9506b405517303057b1aedd52026a35c59","assets/GamePick-CQAOJxqq.js":"bcfc84c75d9c079b008f8afd35b91288e47ae2e981f3c4317aad9641ca286f0b","assets/HallMenu-BGn9OUB-.js":"09c5e68bf72ef5960d78b1544df48200e09c71cd3ecee2ae918776ab86ba0e9f","assets/ImportSheet-BmAt5Hic.js":"238a8b4977e84c06a7644c942b59c8938228ea0977cf69285b7976ad86fd53f5","assets/ImportSheet-D38SsSb6.js":"89fc945f253842b34546df92ff3c2f21d7149515f5f1bf1e2b854760b6f78c61","assets/LoadFailed-bK_DfWGJ.js":"af47df754055d4a5e64ba2659c2d8268ba616b255194e3ccae3f291848f6577a","assets/NewEventSheet-DHNpQUxr.js":"170173846a8276f164289f4fae8b26108e3e3b9bc5c3f5c33df58ed196c622de","assets/NewEventSheet-YGJ89zhl.js":"129084084b7557a619501f0b7376819a8d38ba2deacfda7bc5573378e5348866","assets/PrintSheet-Ba1FPjjG.js":"14d6e223ef679b2f10d6a157965e6209a543ca0c1178dc4da2df4d22580b0e80","assets/Qr-DMWFOk6f.js":"36eeb8b36d400f03635b505c530c5ae3dba42acddd958fd13bf248b52233eed6","assets/RemoveBoardsSheet-CruB21Oy.js":"a00ce4c7823c562c1687cb9db8419f470a75fb63272bdbd8ecf7282d864514fa","assets/ReplayBoard-88rA3SOM.js":"8a61ff5f1fc0d96eb53c88517b33f358580f9e0c6be1d85309bfd10dfcb8b672","assets/ReplayView-BYofe-JR.js":"1130714cdc19c43a9ff3df79061b802957ce4b1b60ae3ca0aff091e10453f24d","assets/RoundSheets-C23APNah.js":"fd992fb6b8facc80ca52e6a2fa20aa5b100f5fddfd2047dbac656977b71da96d","assets/RoundView-DMmVHxT6.js":"4a63bd9094e43a43df54d158d1707be397e3f5215a0ce7895979c06d94d2fc69","assets/SectorsSheet-DG-LEQwB.js":"333a54c146879b9b5599bae1335e7c911928cbf32a68ab9dae83df5bc7c033b7","assets/SetupGuide-BqEmpMGf.js":"0887af46cf66d7e913a7b5ee29acad71af791142d44ed8104de975ef42456d36","assets/SetupLine-Nma78jvs.js":"f84c2a650a9de29d8d84ea04ec0f66b424538ec165a26956e575faa422cd8b72","assets/SetupSheets-Dchz9G2I.js":"5b230ce87af5d225dfadcc815ab132df236600a06d41f825bd768d86c6d648d3","assets/SoundView--rykz-i3.js":"40db53ae4059e51dc9293e435d5f65373c2f10fcb94afdc936c9a3bd6a4f24a8","assets/Sprite-CcMzH1up.js":"8f03ccfb971e43263f6d553a54351bae96502ada2e834cdcba40eaf09a6ecbde","assets/StandingsTable-DoqQJIS4.js":"3c43d179777b4aa5e1bac8fffddf7c14bbc8eced7415db70d58a62d4134baccc","assets/StandingsView-VS2Uwl94.js":"a5fb2b0c9626236c287ef88f8533e312f23f5917751f59a81f5fb0aad0faf1a5","assets/StartView-KfXlhEjK.js":"20ccfeeec8e2b6c4d377e993f29ea103b99f53cd66f052b277aa9dcd5873c840","assets/black-bishop-BEJxz6w6.svg":"b4343211dfa30fd8fb54f02bb6c088dfd64d586699503c7e4b38248546cab986","assets/black-king-CuVr95xE.svg":"324683f02ba4eb5e24cc9b8a9059d6f95d47bb1fff6c2ef0994d247ade9bb23f","assets/black-knight-DDE7OGzF.svg":"c9c51d6d11c2e3993bed1678cf744a205cf56f23c9d13df5af7ed664243e1c1c","assets/black-pawn-BVh5P20C.svg":"fbf212c48bae17e1438369893b8b053f5a22128301514168a7961d984cb02257","assets/black-queen-uBM8KzKr.svg":"11989a32b8925061ddc6dcc63f9706cdef1f0575161345fb5050d7bba703605e","assets/black-rook-DVdehaQU.svg":"6408c626e971e5cc09cbebc2f8c7b6e5db1ffe29ae612476ff474d53d0103c5b","assets/chart-V03Qn3xT.js":"6733c1d6bb53c858ce050d6b43323adca51ab2857424ab41fe8e9eb4fecaffcb","assets/core-1JrqntEu.js":"9b33f0ad67f31dae8c8a6d6c0ce59648d234643e46eb206e7d2651ad537293c2","assets/de-DgHoSKLF.js":"712706f55adccddf6b09e446baf5865b9a2e070dc4adb89a505871be1b2771c1","assets/decode-Cb39y0Pn.js":"3482590646d178854743c23b14afb1410a00a9d83aeebc40a0f0cfaa38ced9a7","assets/download-vWOnvHa4.js":"981768cfdc09e467df99d1d0077bac86679420b593c91e2b81fe36e906f44b18","assets/each-board-BJWyoF2p.js":"82fe49e8fce2cf0cb14495a06387a7f3dab22e1573398f209ce7cf0eefba8a9b","assets/en-Bx537f0R.js":"196013c0da8f3d9db1d160d059c924df4d18648c04f94e873bf00241e6f9443a","assets/es-2_8TLAqx.js":"fedc6d015db62ceedc0d857d9135f02f5df53942c249a9f08671d804179df5fe","assets/find-BEAHckEA.js":"471aeb352e5fa00fc8c4427a3d685c9068b62f79acc380dcaad0a879c8894d7a","assets/fr-B_pjO61v.js":"75b6fd9b74079a1af374c2a70e1e5f71b9287541f7f4ffb9de1fd86185244f72","assets/ground-DZh6TZy7.css":"145435c907ce305321de8dad299b341d852a4486f9c40bffb8206690a934b3e9","assets/guide.svelte-oPP_pDHg.js":"4703bccbda718c95c15e49e584550477ebcebc4da9fa78f77a00b5c5ec3224dc","assets/hold.svelte-DO1qNKCq.js":"d62c89b0cf3a4a71c7b9899f0cd1f5cb5500cf26d1ffaa08dd27ce4033e19682","assets/index-DWNQXBdE.js":"509d56b6de50f0136e437500cbcb1b30edc5552d30a99d9f03e0d341ac7d757e","assets/index-Dd-V1WWi.css":"aafab937896acd136b744b8ac64db9f83d506034868b88ae41c23b233125d6da","assets/player-C8qyjVCa.js":"b976055b0064f21203d4e79401abf7ffaa7ea7d3ca50c20d9203f84716560cbc","assets/player-CvTskTyv.js":"e9c12c798e5c5e37288380062ef194943d2283ee1453f1a0728c296853f9dbe7","assets/player-DztfTeor.css":"815496fe5fb1e39991bea81cf8ddf4498e00e91a18ef51ec07a665b43e684c65","assets/plot-CnsZ1jie.css":"0fd9465202f6dfceac29e67c17e5ac9fb1b7ba7615c1bb08782391b791d9f1e0","assets/plot-jLAVKa9c.js":"b5c76397ffccb831a6cdeb43aa8b9fa9c3a4d621e278cd944e6471a9da138709","assets/qr-D15vRg4X.js":"dc5d1a8c7c42148c9ccc3bec037a2ada79d0d693645e20ba58b697f8e8dab47c","assets/record-DNuNHRsz.js":"cdb1905df0158830cbfb7a5aca3d6367fd16d0d88bb9bc65f7e665dc675ed10c","assets/setup-BF6kAoo9.js":"26181a67cdf79770848fbda33f3d1a3208a6979b5f864858aae8c7a3e7335329","assets/time-used-CSvMUra-.js":"a01c099115d12447dcd00bf1ff63b5c0c9f557cadfdb42f8687a233eb53c48ce","assets/timeline-iXDcCnQ6.js":"bc518801e14b7a61be138417a1cf07719c1caba84a6cc6e58d0d41f874c16f0d","assets/white-bishop-BDXOP_ZU.svg":"a0341e416a85b6bd05020bd9a3615f0d4359ebc776cfd9b2bbf2813ca1b73e0e","assets/white-king-BPFRxpdJ.svg":"3f7f546c1c672cd4939c8577bdb53359517939a6719b4d65fb90c0c3a6e9d0ed","assets/white-knight-DQjoc8hb.svg":"1407efd029cc1a59410db0a6b8c596817914c9c5edae303be7374b3d25dd82b4","assets/white-pawn-BABWKBQq.svg":"c2d652c07fcdb4fb983ad26e45908e631e955bfd84cbae3e93ef5c26f5ad74ab","assets/white-queen-baFt1AQz.svg":"06cd2e8ab40436c3f7f841642e65cabf27c1a554ecdf67e984d778ad74c169ac","assets/white-rook-BpCBUtyS.svg":"c7033117813319e3c477629d337516e051ac2a5438460ad3abf21a8d9bca5bb0","assets/words-Dky_fs9p.js":"dbfaa9c9c4412e339a5c113065e89d7ae0a2ccb5929d569d2c5949bf284ad5d2","icon-192.png":"838415dafedc437e618d32d08525468cc0fdc832bf8b311d376d4dfb3de5525a","icon-512.png":"7faf3903cef657028b908bc60849cf7e39d2c04e7a4f601207db8f05bc4858df","icon-maskable-192.png":"5418f3217631d12a0fffc9a77189cd8f323e9eae2a9463300574d843cf0f79e0","icon-maskable-512.png":"e377d815f184ce54e5ded9b314561b9fca03d3fd0085dfe9ba594263ec03e055","index.html":"37d876af8e38525b484af79d5458891763f48474e166f02e52c995af9a4b447a","mark.svg":"480ac5e0eac82fac8fd0e85ffc66a2077c90f4d35a7656d2b2ff96138f858017"};

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
