// The page's service worker: it caches the app's own files, so that the page opens without the hub, and shows notifications where the page
// may not (src/lib/state/notices.ts). It must answer for the files in FILES only: the hub's data never pass through it.
//
// Each build has its own cache, which is complete or does not exist. An open page of an earlier build finds its later parts in that
// build's cache, because their names contain a digest.

/** The build, and the SHA-256 of each of its files by name; filled in by dev/worker.mjs. */
const BUILD = "63602591a73f48d3";
const FILES = {"app.webmanifest":"e80ce7a10f85db1bf865dd4c8b0034ba18b3974692a6eaed82d1f652ffb1e27b","apple-touch-icon.png":"8c1aebb921919b295d39564bddf446790e34f3fbd66f8681d4401878c489d39c","assets/AddBoardsSheet-B6p_n_uS.js":"053c58005b34dc8508eabccfa131d3a4e87e3af84bff3756f168a5e7cb6605d1","assets/AuditView-Chn_2gMe.js":"babaf253d91e0056dd3fde5c8c48ccc5e76e4f4df1319e110643eda1731832b0","assets/BroadcastSheet-DhHVI2Z4.js":"09ff8bf2e60d99e3b9e50cf08a9678c326b508e7a386db12eed04fa646d7231f","assets/ClocksView-CCFkaFZT.js":"e872d4ee076407929bb810f60fc2368d2486cf546911283330313e91d3cd809b","assets/ControlPick-DFlmPw7Z.js":"4474aedb1733969d33632666c187e4973ed4a1891926c9864816a25d20b14509","assets/DayGameSheet-TnRDv_yh.js":"d57b6846842f9f52db2444f10a6502f2f6eb2f4779e80076e748e63f41103b88","assets/DayPhaseSign-CwNdEX2J.js":"3b916c39744db4da0b614a10c614ba03ad1ff9071d0704e72e923458b5f0e233","assets/Diagram-CvWEttVa.js":"5479762817bad93c755323b61ccef36be51b6dafc58c31331c3c58381465d933","assets/EnrolSheet-CBAcXTcr.js":"0f84c62973dae99ff96bf131f0875cf8f0b943690849799284adae294a9f1dab","assets/EventSheets-DI_Rk6Kt.js":"a721103ab7faf1dbeb0fd08b55ee89fd254d8097876860b873005d6a2791d1f7","assets/GamePick-B74uy1p5.js":"e51010f5776b150864a4aa9b875d5270744f5d51d6483e2d871e2495e8e3ade3","assets/HallMenu-D_DihUP9.js":"4f7a12cca4d2b6c6ca46ec6d3b03ca6d4427634e3b6a383bf00b61bff8575fa0","assets/ImportSheet-BbtuCoLd.js":"d642d033fd4f4a894912f0d1c437a352a963eeb51f13aac8febea14f146c3ff1","assets/ImportSheet-DJxT1b3r.js":"3e2468eb9775bb6ac9b7d5abce47a7e3eade227f5f05866457f683d5275fce4f","assets/LoadFailed-MtkdWoG9.js":"4b9f8370cfe51de8ba931eabf0477f73e0443a0ac1ba7a951d0c50f5e202e7b2","assets/NewEventSheet-Ddn-lVTr.js":"951d4259508deaf6f2019168528c15f21b547d4274c78911a7e44697bafc7f2c","assets/NewEventSheet-DfUoWYVo.js":"64df2f38eaa5f758a34532c6125ddcb9d0a6ed897054bc621eff83d8b5963f84","assets/PrintSheet-YD8rowY1.js":"85e4d66452606d1c0163a4e163dd3c587934305faee047ef8eaec227ea6d94da","assets/Qr-DYCYiyas.js":"0fa58a0ef61f23229b41a571a323364386ebd522c177ee8b6df320b9c5978e9b","assets/RemoveBoardsSheet-BI6K5gAL.js":"5db1ca7a4fc9429bc580ffe6fb5dc5e890564e91d44b288202c655e3116dffc3","assets/ReplayBoard-BbbQ3nCr.js":"bb44ddb4362a6168cac08194348f8f3c047a6eac2c90995dd44c44f8f25abefb","assets/ReplayView-BPs20E-8.js":"ca82da987fbe42c578d4c0b52b72c8cfb17b2b5a8e32396b13d7f1a0b096bfe4","assets/RoundSheets-C4PiHlmJ.js":"654243c06b539529e6f7ac83ec81591860fdb8882fce1dd9829c54857219fc17","assets/RoundView-JL81COQo.js":"005aab546d0107d9cbea2ea7e580f31c5cae822ceaa235d97909e44368b1e525","assets/SectorsSheet-Dt8AzUBj.js":"51f71fba333f06fdd61b698b68352fbe7689ca09f202121eb66e9df80b819093","assets/SetupGuide-BYjpqWc0.js":"533800bec9288be22c7ef5a85eb37756c3feab012f3b2aa2f821159fe24b7011","assets/SetupLine-Dxk9YGCW.js":"66f94cac5ec956a59f44cb60ead8808a50099618841cb638fcdd18972a279132","assets/SetupSheets-CvfAZUSL.js":"40924afd6281eeb154dd33d3f9d5ce53a9361bb65496136a50e65b07b5e0e6d6","assets/SoundView-BfoT9FmV.js":"5418da8e385cd03727d529aafa3bcf2188a9d0adc141aa0094e26fb9e900e733","assets/Sprite-D17paIZH.js":"32c5ad90eb921adcc21e6d08a864549c6e72feb265d5c053480c69edc9ff5db8","assets/StandingsTable-MrfScXdV.js":"8786a95d36fb10407829421a93691be1e23a9a1db2d7e4904abf35fee046a6d0","assets/StandingsView-CZLdip0v.js":"81d8db830eb12ac8e955fc9bb03a62ec66b80eca13e81fc3d24626baa286e270","assets/StartView-BdzXapt0.js":"5cb9c5596d5ebea02d18cd626adbd7af25da66baf2eeef61b3e9fd2f342dc246","assets/black-bishop-BEJxz6w6.svg":"b4343211dfa30fd8fb54f02bb6c088dfd64d586699503c7e4b38248546cab986","assets/black-king-CuVr95xE.svg":"324683f02ba4eb5e24cc9b8a9059d6f95d47bb1fff6c2ef0994d247ade9bb23f","assets/black-knight-DDE7OGzF.svg":"c9c51d6d11c2e3993bed1678cf744a205cf56f23c9d13df5af7ed664243e1c1c","assets/black-pawn-BVh5P20C.svg":"fbf212c48bae17e1438369893b8b053f5a22128301514168a7961d984cb02257","assets/black-queen-uBM8KzKr.svg":"11989a32b8925061ddc6dcc63f9706cdef1f0575161345fb5050d7bba703605e","assets/black-rook-DVdehaQU.svg":"6408c626e971e5cc09cbebc2f8c7b6e5db1ffe29ae612476ff474d53d0103c5b","assets/chart-Bt1obnF4.js":"6d4491c03f4079ac242cf02a34244c786e5509b7f057a6d73592a275145a6e3c","assets/core-D7a97eUS.js":"31db487265cfe18dd04434fd15fe67a69be1463b69633d18ae433a849487dc51","assets/de-B_eb1D8i.js":"aa200bba3f833f3eccb7b2b99efeb6caf6613f82cb27afc3e2776b5e013af885","assets/decode-Cb39y0Pn.js":"3482590646d178854743c23b14afb1410a00a9d83aeebc40a0f0cfaa38ced9a7","assets/download-vWOnvHa4.js":"981768cfdc09e467df99d1d0077bac86679420b593c91e2b81fe36e906f44b18","assets/each-board-CFVEyTq-.js":"ab8a156519745c7595a185721c864c330a5a62d0882245d802777014c9ee665c","assets/en-DYWx2wML.js":"32c698bf9fc1f98deb55f36aac1c471a5e874c4d2d094cf7db1a029f9e00dd54","assets/es-DpRVU-aW.js":"7ba5b8c4a715a5dc315c484d2facc1fbfcd260a9dd41a3e5fee5a32349e355d3","assets/find-CeIynjMY.js":"4f3a99013ec143c8f393bc7cffd769364d10029bcebaa35557e8199fb22c18a0","assets/fr-Dj3n81sF.js":"5b4e5581d7e9cb368699b9378a6f2363d28ebef97cd81c8d839475444edf7102","assets/ground-DZh6TZy7.css":"145435c907ce305321de8dad299b341d852a4486f9c40bffb8206690a934b3e9","assets/guide.svelte-bx0ObLsp.js":"bd9f19e05a63dab6928380dc4fabb51a3f1300abdae1f58a4cb5804fd30420ac","assets/hold.svelte-BqEGBo6G.js":"8df1d67187cf2c32652df21808792c2c338bd64b5d955a8aa584ac193251bfcc","assets/index-CA0TzLs9.css":"ddba0d134b05b038a9ad21de7612e24ee54ea16c40f0ddf074c7ed86633075de","assets/index-wwn03HcI.js":"57e7483f043b2eb3aa9ac31589b2f5d574203bdd8951a41663e64a1b462e60e7","assets/player-CDdkXaV9.js":"610d30fc2dccce837b380de39c2b39c8e412a1b49e9075d0179c731ec2c63509","assets/player-DWo18xJx.js":"0548f6cbe1d10f80cbebec517a6450e75b3190a87973dd36da5cfd8b6d2eec7d","assets/player-DztfTeor.css":"815496fe5fb1e39991bea81cf8ddf4498e00e91a18ef51ec07a665b43e684c65","assets/plot-BvcEVOZ1.js":"208f9081ed70cf4d53f8c27596825c718fdce69973ef293127a3c0f04f77ef67","assets/plot-CnsZ1jie.css":"0fd9465202f6dfceac29e67c17e5ac9fb1b7ba7615c1bb08782391b791d9f1e0","assets/qr-D15vRg4X.js":"dc5d1a8c7c42148c9ccc3bec037a2ada79d0d693645e20ba58b697f8e8dab47c","assets/record-DjSWaRg0.js":"27cc4213139f81130316709a4f9243af1ac23100e755d74c559d11900f35a808","assets/setup-hEtNhnEU.js":"e529ff3766304a3e61ee25e3b20081e489259f10fb590514bbaebd235585c4b7","assets/thinking-CSvMUra-.js":"a01c099115d12447dcd00bf1ff63b5c0c9f557cadfdb42f8687a233eb53c48ce","assets/timeline-BxU1Rrhe.js":"1d15f61b373f2847b3c59849e8e2bc899c701673f75e55f58e3872205376d108","assets/white-bishop-BDXOP_ZU.svg":"a0341e416a85b6bd05020bd9a3615f0d4359ebc776cfd9b2bbf2813ca1b73e0e","assets/white-king-BPFRxpdJ.svg":"3f7f546c1c672cd4939c8577bdb53359517939a6719b4d65fb90c0c3a6e9d0ed","assets/white-knight-DQjoc8hb.svg":"1407efd029cc1a59410db0a6b8c596817914c9c5edae303be7374b3d25dd82b4","assets/white-pawn-BABWKBQq.svg":"c2d652c07fcdb4fb983ad26e45908e631e955bfd84cbae3e93ef5c26f5ad74ab","assets/white-queen-baFt1AQz.svg":"06cd2e8ab40436c3f7f841642e65cabf27c1a554ecdf67e984d778ad74c169ac","assets/white-rook-BpCBUtyS.svg":"c7033117813319e3c477629d337516e051ac2a5438460ad3abf21a8d9bca5bb0","assets/words-BSVDF79M.js":"c9584108d0f11ae6081d656cd768fdba24ea4593800cc6e4dfd514389085376f","icon-192.png":"838415dafedc437e618d32d08525468cc0fdc832bf8b311d376d4dfb3de5525a","icon-512.png":"7faf3903cef657028b908bc60849cf7e39d2c04e7a4f601207db8f05bc4858df","icon-maskable-192.png":"5418f3217631d12a0fffc9a77189cd8f323e9eae2a9463300574d843cf0f79e0","icon-maskable-512.png":"e377d815f184ce54e5ded9b314561b9fca03d3fd0085dfe9ba594263ec03e055","index.html":"8b9961761e8dfcadd3c74239051b18af31d4a6877ca3183125f88dfe60831c38","mark.svg":"480ac5e0eac82fac8fd0e85ffc66a2077c90f4d35a7656d2b2ff96138f858017"};

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
