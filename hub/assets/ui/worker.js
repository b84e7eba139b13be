// The page's service worker: it caches the app's own files, so that the page opens without the hub, and shows notifications where the page
// may not (src/lib/state/notices.ts). It must answer for the files in FILES only: the hub's data never pass through it.
//
// Each build has its own cache, which is complete or does not exist. An open page of an earlier build finds its later parts in that
// build's cache, because their names contain a digest.

/** The build, and the SHA-256 of each of its files by name; filled in by dev/worker.mjs. */
const BUILD = "3e8324e213c6cc88";
const FILES = {"app.webmanifest":"e80ce7a10f85db1bf865dd4c8b0034ba18b3974692a6eaed82d1f652ffb1e27b","apple-touch-icon.png":"8c1aebb921919b295d39564bddf446790e34f3fbd66f8681d4401878c489d39c","assets/AddBoardsSheet-B7E2Jkws.js":"2d8891d5f6447696287b2d605cb4375236b9532420dc288de708f1fea4eae088","assets/AuditView-BydbKT3j.js":"e744cbad6e90800cffc97333d6957927bdc86b1dd565d11eed6172901ca4431f","assets/BroadcastSheet-B3Ex9gQF.js":"3bfb4096332350ce35d1bc58453dbcb1bfbc20e35605416bf3b387045e96e6fe","assets/ClocksView-VUND1MGQ.js":"6f110954fc43f9653ee9e770525506ace99165b6c279f3ef4d730ec877cd1a12","assets/ControlPick-C3zFQ-5R.js":"28c3cc08bd133dc59aa904f8c21a65e007fd754de0171545ea6849cefe5fc717","assets/DayGameSheet-ak8v9EUB.js":"43723bc25f96c9b4294053f4fa78af1f5927d92ebc972b6b2e25166d08b6f54d","assets/DayPhaseSign-yaIO4KI7.js":"268ce34e53d6c2aec4441389574646bda29d9818434690779c3b7a6233f6a576","assets/Diagram-DDvRjFwR.js":"6a3094722fb70cc05298ba41d9ead9e6e7a4e946889dc0c8e677fe869d6a8a0f","assets/EnrolSheet-B1W-oUTc.js":"55b8c3634c43a3cc58dd362d07dcea65be69a40b0aa394236ffc07f718858be4","assets/EventSheets-Cvis6jzL.js":"b980459073fb4545a67def8602df25a7b01c8424370824febce0f9f64bebd1ef","assets/GamePick-BlGsO5o0.js":"f43b54db48cd61096e97d7eab18c93d29a51b4a3acdccb8546a0310a7ca1db66","assets/HallMenu-BhFWRH7v.js":"fa533191131d0def09dc0c49707ee795b0adcbb62d6e9d14a94c8e29968b720d","assets/ImportSheet-CbImQWYV.js":"86f89bb31d6d3462f7cc9ce76f107cc1f66017ffa857c29b9a26d5823cda6240","assets/ImportSheet-H9QfUJs6.js":"277caaac222e985eafe9224cb3e8cfec2baee44ee529c281ce2e7a302beee135","assets/LoadFailed-DSo-YET3.js":"179dddd1256c712fe4d04b9d046474c9d59c2d119bc3c56b813f9d9f11f96f37","assets/NewEventSheet-CS3p4Kll.js":"9b6b6ddbc002beeb8820a6f709ec7d22ea03f70feadd16cd588d668e3d56b9ed","assets/NewEventSheet-DrBDo5H7.js":"659f5bbc95d6f2c6f5269aab15300b4fae70a72c1f28a22f7c7198d5ffb16057","assets/PrintSheet-TJEEFRPH.js":"4dbbee47d0652685513dbb08bf423a5737cb286db159db229839aa863a4f86d1","assets/Qr-CWYyB33j.js":"44311ef6def3ff5616c4267ae65d90f9e97a15fb08c03a818b5868ba40eca23b","assets/RemoveBoardsSheet-BN9srlrg.js":"0eb636572e1bfd884c1850c79b782b8f23ae326bd9dbfce55e4c4fa7fb8e0333","assets/ReplayBoard-DspyMYnU.js":"eb62332c168ac54a5016b18097ae675e7968f93f0f650c94796d51569039f092","assets/ReplayView-MnIEOUbw.js":"57180c5fe9f77496217ebe984eedc1720c757a0eb7a7113aa847838474f0201b","assets/RoundSheets-Y7yWotA1.js":"2a2328b0f2db4c61c44535f3669fe08942a35f36d3441d40dffa030444dd6400","assets/RoundView-TgxJJ-q7.js":"6d0a600888e115694ce786577d4894a8d161f3aa9a8e9f6b9d7998c08dc5cb57","assets/SectorsSheet-DAA8ZYiu.js":"df320768c6b2426feef03371b5474a0c463e07cc10f0800025f02ad7b2a92b69","assets/SetupGuide-CsKZbq3g.js":"b8b8b421799bf013dbed492ffd56034b634763389515c138c8f7b4bb25cd9068","assets/SetupLine-CptB6Lke.js":"389c9d4251edf40f8ff3235101e2022cd78fb23251a6522094ce8e3ef35ba133","assets/SetupSheets-PTPTip9O.js":"8ca35e1c4a961687095e1ed3dc301c72c7108fea338ab26666f642be5acbf448","assets/SoundView-BnaUC7ZV.js":"0a275cf80b310f0a3992297801d8c6adb436a95ba926441783c0e223b121319e","assets/Sprite-CbBfcsDM.js":"0c883474c229f1b3411c4c9a6c171c2cb08f86b61565c1cd0775597077302e0c","assets/StandingsTable-2AfiAP2P.js":"7de95d09344df08effefe82962b5d39fc3446a7eb4d0e71aced5801608fd5901","assets/StandingsView-Y5IlWKuN.js":"ee335855b79076e65e9a0baf26a01e164ce49a89660295ba332d924591a3543e","assets/StartView-DVZTOcSU.js":"41c1ef6901e4620a3316a715e81074c6abcfab6fd40e48b1d353e993d13d34b9","assets/black-bishop-BEJxz6w6.svg":"b4343211dfa30fd8fb54f02bb6c088dfd64d586699503c7e4b38248546cab986","assets/black-king-CuVr95xE.svg":"324683f02ba4eb5e24cc9b8a9059d6f95d47bb1fff6c2ef0994d247ade9bb23f","assets/black-knight-DDE7OGzF.svg":"c9c51d6d11c2e3993bed1678cf744a205cf56f23c9d13df5af7ed664243e1c1c","assets/black-pawn-BVh5P20C.svg":"fbf212c48bae17e1438369893b8b053f5a22128301514168a7961d984cb02257","assets/black-queen-uBM8KzKr.svg":"11989a32b8925061ddc6dcc63f9706cdef1f0575161345fb5050d7bba703605e","assets/black-rook-DVdehaQU.svg":"6408c626e971e5cc09cbebc2f8c7b6e5db1ffe29ae612476ff474d53d0103c5b","assets/chart-Bt1obnF4.js":"6d4491c03f4079ac242cf02a34244c786e5509b7f057a6d73592a275145a6e3c","assets/core-BXWZ708w.js":"eed53d226d9e327d226fc01f4dcfffe732031e43aa44ec6f793684a379267adf","assets/de-J_Luq3mQ.js":"93c97d5c853e8e98653706aedb74eef5d28945ba1143648e97fe11bfd2c14c46","assets/decode-Cb39y0Pn.js":"3482590646d178854743c23b14afb1410a00a9d83aeebc40a0f0cfaa38ced9a7","assets/download-vWOnvHa4.js":"981768cfdc09e467df99d1d0077bac86679420b593c91e2b81fe36e906f44b18","assets/each-board-Oa06BHYm.js":"27c7ed2ee6a2a9ef5a65d062182701fd0d1f193f96ee29411829330241c2e787","assets/en-x0bteQKa.js":"4a2185232646c8b30282cd862ae7c38af02c158f8cf78becbccafa6f6bf840f7","assets/es-BcRbwnfX.js":"8610d8a5aa98f19fb395ddd6a7e911fa1ee9b368f2ccd167e59791ffec116136","assets/find-BbbTB7j5.js":"d72d22cda573590d7c601c232bf440fabe2269c352046e4c98a604a55775b5cb","assets/fr-BBsva6XJ.js":"f48ce57f0945c4ba6f8b9dc91a6433a498efbbc39f1e57b1275554f585c1e21d","assets/ground-DZh6TZy7.css":"145435c907ce305321de8dad299b341d852a4486f9c40bffb8206690a934b3e9","assets/guide.svelte-Byv8XPec.js":"7dc7dcd39a367683dfa7f2450ce1e7bacf20ff2dc445d3dc4f209d34ebccdc75","assets/hold.svelte-Bc6VyGKH.js":"93a35351e8fb7d9d3dded30559e752b5ad563398cab03557cfa43f57a89d1aef","assets/index-CA0TzLs9.css":"ddba0d134b05b038a9ad21de7612e24ee54ea16c40f0ddf074c7ed86633075de","assets/index-EiF89-bK.js":"02d0f86a22f0644a6b1d7a1d6e8c2ae955c2192cdc9155050f325f6a5ddbda33","assets/player-Bi30nQ3i.js":"29e069e3b3c140f5f15c9dd12ae2cc9494d7e9a8706e2bf30a9084544f6b0505","assets/player-Bxt4DEV-.js":"6c8d9aaabd74cce077cc785603c92fc98ed3f3927b9fa0ec5c1d65070a947fad","assets/player-DztfTeor.css":"815496fe5fb1e39991bea81cf8ddf4498e00e91a18ef51ec07a665b43e684c65","assets/plot-BvcEVOZ1.js":"208f9081ed70cf4d53f8c27596825c718fdce69973ef293127a3c0f04f77ef67","assets/plot-CnsZ1jie.css":"0fd9465202f6dfceac29e67c17e5ac9fb1b7ba7615c1bb08782391b791d9f1e0","assets/qr-D15vRg4X.js":"dc5d1a8c7c42148c9ccc3bec037a2ada79d0d693645e20ba58b697f8e8dab47c","assets/record-DjVN7-KZ.js":"4b368eb0a2b2298589b7b57c3494e83cbd15e88e9e85cc99ad096ef8d6d9004c","assets/setup-CXmpcenP.js":"89ec16ac72f5439c5db1984eb8de3916d0eae9930a6aca452386cc4dc063d348","assets/thinking-CSvMUra-.js":"a01c099115d12447dcd00bf1ff63b5c0c9f557cadfdb42f8687a233eb53c48ce","assets/timeline-m2rEtjgo.js":"7240638a2e9b8faf7411ddc3e41a8fe364507397248caf081a08380435d3ed47","assets/white-bishop-BDXOP_ZU.svg":"a0341e416a85b6bd05020bd9a3615f0d4359ebc776cfd9b2bbf2813ca1b73e0e","assets/white-king-BPFRxpdJ.svg":"3f7f546c1c672cd4939c8577bdb53359517939a6719b4d65fb90c0c3a6e9d0ed","assets/white-knight-DQjoc8hb.svg":"1407efd029cc1a59410db0a6b8c596817914c9c5edae303be7374b3d25dd82b4","assets/white-pawn-BABWKBQq.svg":"c2d652c07fcdb4fb983ad26e45908e631e955bfd84cbae3e93ef5c26f5ad74ab","assets/white-queen-baFt1AQz.svg":"06cd2e8ab40436c3f7f841642e65cabf27c1a554ecdf67e984d778ad74c169ac","assets/white-rook-BpCBUtyS.svg":"c7033117813319e3c477629d337516e051ac2a5438460ad3abf21a8d9bca5bb0","assets/words-Dzy6dBv_.js":"75ef8b26a8bea59488e2fe66bb30738e79a0aa1c294ff26c74ce6a338aaebb9f","icon-192.png":"838415dafedc437e618d32d08525468cc0fdc832bf8b311d376d4dfb3de5525a","icon-512.png":"7faf3903cef657028b908bc60849cf7e39d2c04e7a4f601207db8f05bc4858df","icon-maskable-192.png":"5418f3217631d12a0fffc9a77189cd8f323e9eae2a9463300574d843cf0f79e0","icon-maskable-512.png":"e377d815f184ce54e5ded9b314561b9fca03d3fd0085dfe9ba594263ec03e055","index.html":"2ecbcf6b425b1ed4a8775a1c3457b3d91a111468e755e17af088a0b9636bb3e0","mark.svg":"480ac5e0eac82fac8fd0e85ffc66a2077c90f4d35a7656d2b2ff96138f858017"};

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
