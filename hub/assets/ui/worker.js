// The page's service worker. It caches the app's own files, so that the page opens without the hub, and shows notifications on systems
// where a page may not (src/lib/state/notices.ts). It must answer only requests for files in FILES: the hub's data never passes through it.
//
// Each build has its own cache, which is either complete or absent. A page of an earlier build that is still open finds its lazily loaded
// parts in that build's cache, because their names contain a digest.

/** The build's name, and the SHA-256 of each of its files by name. Filled in by dev/worker.mjs. */
const BUILD = "cc9b8bf90250f60f";
const FILES = {"app.webmanifest":"e80ce7a10f85db1bf865dd4c8b0034ba18b3974692a6eaed82d1f652ffb1e27b","apple-touch-icon.png":"8c1aebb921919b295d39564bddf446790e34f3fbd66f8681d4401878c489d39c","assets/AddBoardsSheet-CN5yTpkY.js":"b291e2b52b709e410cf3287d1ea75a55a5bf2612f76487ff3af0ab73765169d2","assets/AuditView-Cv5xC-q-.js":"b74659043458be6c4e882804acf26c126beb3e42914d0071796cdac28d04fcf6","assets/BroadcastSheet-a-PaRml_.js":"e32c6bd008ae0e7c6f2f99dcaa6a32de944ae9d9b72fde46d452307023cc7fe7","assets/ClocksView-fGwApMD1.js":"673b31340c8dbbba4aaa62a409e136eba5972f0b3c9e35127fc983e3d40d3dd9","assets/ControlPick-DyY24UFh.js":"3d94ed1238ca7666c8bf2494e6be09a5f3780ce9ed829ae9c832bb0734f5f1e9","assets/DayGameSheet-D6Mibfey.js":"3dcbc6a8a7b8e8d27fe7d731d5c5f177f9a88b5509d13b9186cf7ea26aac8519","assets/DayPhaseSign-C_8MS109.js":"976b8ea09fcb270159f1ac1eed9d9819c2fbbf2bcb2e419bb052b5ab53879617","assets/Diagram-CfdMFYSc.js":"27205069a10c49f70024c5ed4bc0036b7f2cbc0206bd6e33d5bf77a7fb43c2b5","assets/EnrolSheet-CI_KSwEJ.js":"d98f0192c5a49187e5325fa35af9ad798e9a242e794a4ae4b2ebc75e80cb023b","assets/EventSheets-CybOKTtm.js":"0a183aeaa617a1b5531fbc00a702bbffbcc0681129c56ad178bc7036440e582a","assets/GamePick-g_fSGCif.js":"05159fb47030adec3c6366eb0418b9a2af91fbb7031dfba37ee208725fde1724","assets/HallMenu-CyVO9INN.js":"78731949c6c6edceab0d44cbe5ba8d165124c535485327cb2d53df79ebdb5c67","assets/ImportSheet-Cx2Iys6p.js":"a372c17aa8021a15d18063dedc2e6015ff3fbe28a74e2f155dd54b4d0973c700","assets/ImportSheet-LGxihnr4.js":"dc69f85d2e1c368bbbcf4dca1c5caaf954e63a628a6158a47a00bdcdb56dda7b","assets/LoadFailed-BWu6zE3b.js":"29cd721a36c1b5262485614d57451c420a934c7617d8f1e5cf6f4d1676af8524","assets/NewEventSheet-BQyEzMob.js":"96494228bbf0ea11edfd105bff5fceed818b52793d270b4f505834c06e10d8a2","assets/NewEventSheet-Cp4mJmVe.js":"90831cb80688241948e74fa946965fefa6c4722bc9d1782774d1a134f4b823af","assets/PrintSheet-DYpl7cbS.js":"dd1ce302b728cf077e9d38516e7cd3df58757a79b486caf496e91da57aad9198","assets/Qr-vu4grv-U.js":"d542241a908c8ad2a12066d0ff526e720faaf979d265264965f1516e4f0bf9a9","assets/RemoveBoardsSheet-CmaBzRIv.js":"b4a2fa85e664b0ed287fb8b28f3018716523316e0b1fb5d8d269eb12a4e84492","assets/ReplayBoard-BlLqyyLG.js":"577f092bf313a4aeab715d5cfb80dca826cd0d29dc3c87fded5398984678fa16","assets/ReplayView-CfrKRO2y.js":"94ee6c88ff2acfa58a6ec916c45efb5cfb4abd363eca10f5d4f708614324a499","assets/RoundSheets-0b1eZH6p.js":"f0b5ba3036ea06760472d725346c1d2c7fc979835abf18dbd4d25ed6b692fdf2","assets/RoundView-CDcislP3.js":"5da91060639a250c45d1f2cedd004a4cbd1cace10127f957621e3d568337d7e4","assets/SectorsSheet-Dn9FoLFN.js":"d2d9173d0e860a215e488f58195bc550570133cd9684cd096552db4aaab6ce23","assets/SetupGuide-BTiDQoRo.js":"46de28b554c98c57085eb1747f141fa678148db889f9726cd3fe961e8461c9dc","assets/SetupLine-D0CqGumf.js":"fb5b7f8b1d7c338a23e5a46fc4508699c6557a57d2d958cccaf05a5e8680aeec","assets/SetupSheets-DIbFA_RF.js":"13af48884b71739b9d4c8150e29bbb5571b8e49ae5f6356d8f872c15fbd6a838","assets/SoundView-DkHpEKhE.js":"ebb655cbeea0a8e2f073993c254fbdc242399ae42da2c91db4c8ce2f392bebb8","assets/Sprite-aaEz703T.js":"0aca88e181aa386f5e5902a11dfeaf7d5213015396912ed1dcdb0432818b8740","assets/StandingsTable-DNmp0NgW.js":"75f08c1ceb8b736fe964ad1d1f444c7254e8d09c746d79c89c2356818e63fb7b","assets/StandingsView-laio2feJ.js":"e45f286774484514d6219108043dca220a389d59638cee56b240a343c031665c","assets/StartView-CIEcztqq.js":"14eec91ff9be08d3ed8c8b69a958d592fbe1d4c6c70c7f4366701991083cbe6d","assets/black-bishop-BEJxz6w6.svg":"b4343211dfa30fd8fb54f02bb6c088dfd64d586699503c7e4b38248546cab986","assets/black-king-CuVr95xE.svg":"324683f02ba4eb5e24cc9b8a9059d6f95d47bb1fff6c2ef0994d247ade9bb23f","assets/black-knight-DDE7OGzF.svg":"c9c51d6d11c2e3993bed1678cf744a205cf56f23c9d13df5af7ed664243e1c1c","assets/black-pawn-BVh5P20C.svg":"fbf212c48bae17e1438369893b8b053f5a22128301514168a7961d984cb02257","assets/black-queen-uBM8KzKr.svg":"11989a32b8925061ddc6dcc63f9706cdef1f0575161345fb5050d7bba703605e","assets/black-rook-DVdehaQU.svg":"6408c626e971e5cc09cbebc2f8c7b6e5db1ffe29ae612476ff474d53d0103c5b","assets/chart-Bt1obnF4.js":"6d4491c03f4079ac242cf02a34244c786e5509b7f057a6d73592a275145a6e3c","assets/core-B2-Uj0bM.js":"b529ad1af88657ea5a1258cec2ccf02b7aad6dffc93cb65e9bf6733a7e3adaed","assets/de-CQQxyA2k.js":"0f434f95f8437d4f5702dcf991260a795d1827bf3b8f766d4f473e7634ab4ce7","assets/decode-Cb39y0Pn.js":"3482590646d178854743c23b14afb1410a00a9d83aeebc40a0f0cfaa38ced9a7","assets/download-vWOnvHa4.js":"981768cfdc09e467df99d1d0077bac86679420b593c91e2b81fe36e906f44b18","assets/each-board-BJg3mlcJ.js":"c8c2f1635f2997cdfa1f70da6a57f39a7aa738575c9b6981e662596fa40bd7b2","assets/en-D6KX0emx.js":"14177cb8d1cc274ab3bf6e9ae11135073853bd01620af546832366637e1a6ede","assets/es-BNTr72Iv.js":"286d5e1e102d8f37002b6ccfdf155a3d78235fa52c225f412f08c593a2515aa6","assets/find-Crq6uWaf.js":"e3ed539e89adfb8824fa1d5dc2ac08eee66b360dfcfcaa0df801417d54833d6d","assets/fr-BVuS-OmZ.js":"869eb9ee570f8b74ac62e8673549044380f47d2852059d78f21d29a2b1669c06","assets/ground-DZh6TZy7.css":"145435c907ce305321de8dad299b341d852a4486f9c40bffb8206690a934b3e9","assets/guide.svelte-mL_miNRy.js":"54bfa70a8f40e86c849f4bfad04a7eb01ed061f3b11b9e47eaa24cb52bfa2f79","assets/hold.svelte-CcON3juS.js":"54d4424cccd8893eb4256d990e7d6d36f6390eda0f1da262f5d3eab4fe6bb97e","assets/index-C6w3OBza.js":"03bba996d804cf860aa419c3ffebd4d77bb86a7fc4cbda8b5c35c48a5e00b5e7","assets/index-Dd-V1WWi.css":"aafab937896acd136b744b8ac64db9f83d506034868b88ae41c23b233125d6da","assets/player-60wyaDzH.js":"5bb329eaa3ab742ef8c5b30fa4ef1e1a276c93787486db7ce30eeb99039d3175","assets/player-CTTKoQuR.js":"406912241b856bb4e99ca8fd49bd0648a3bda7c8cd409c8a9bfa9a7a4061cc3c","assets/player-DztfTeor.css":"815496fe5fb1e39991bea81cf8ddf4498e00e91a18ef51ec07a665b43e684c65","assets/plot-BvcEVOZ1.js":"208f9081ed70cf4d53f8c27596825c718fdce69973ef293127a3c0f04f77ef67","assets/plot-CnsZ1jie.css":"0fd9465202f6dfceac29e67c17e5ac9fb1b7ba7615c1bb08782391b791d9f1e0","assets/qr-D15vRg4X.js":"dc5d1a8c7c42148c9ccc3bec037a2ada79d0d693645e20ba58b697f8e8dab47c","assets/record-1IAe2fdr.js":"129762eaeb193d75e2e433f517cd9e5b7a3169bbb44ac99b84b24392a0ca3726","assets/setup-DeAV8ppF.js":"42d5d89bbae858d10184a104dd1447a2b3b3c39ff8252a45612b8a768b4fffb2","assets/thinking-CSvMUra-.js":"a01c099115d12447dcd00bf1ff63b5c0c9f557cadfdb42f8687a233eb53c48ce","assets/timeline-DN8rNEYL.js":"bfc0404be4e9eff1948f0ac0777f5e8c769909d7260da7eae66c10449d4174de","assets/white-bishop-BDXOP_ZU.svg":"a0341e416a85b6bd05020bd9a3615f0d4359ebc776cfd9b2bbf2813ca1b73e0e","assets/white-king-BPFRxpdJ.svg":"3f7f546c1c672cd4939c8577bdb53359517939a6719b4d65fb90c0c3a6e9d0ed","assets/white-knight-DQjoc8hb.svg":"1407efd029cc1a59410db0a6b8c596817914c9c5edae303be7374b3d25dd82b4","assets/white-pawn-BABWKBQq.svg":"c2d652c07fcdb4fb983ad26e45908e631e955bfd84cbae3e93ef5c26f5ad74ab","assets/white-queen-baFt1AQz.svg":"06cd2e8ab40436c3f7f841642e65cabf27c1a554ecdf67e984d778ad74c169ac","assets/white-rook-BpCBUtyS.svg":"c7033117813319e3c477629d337516e051ac2a5438460ad3abf21a8d9bca5bb0","assets/words-BQ00FIJd.js":"7fdc3256789ea7f2ad0c2b081053414798ca788cd419240e1701bcd0bb3c81db","icon-192.png":"838415dafedc437e618d32d08525468cc0fdc832bf8b311d376d4dfb3de5525a","icon-512.png":"7faf3903cef657028b908bc60849cf7e39d2c04e7a4f601207db8f05bc4858df","icon-maskable-192.png":"5418f3217631d12a0fffc9a77189cd8f323e9eae2a9463300574d843cf0f79e0","icon-maskable-512.png":"e377d815f184ce54e5ded9b314561b9fca03d3fd0085dfe9ba594263ec03e055","index.html":"e651652f460e20bffedd8c6b6159db83d0be6ab9198f48853df457578e23efde","mark.svg":"480ac5e0eac82fac8fd0e85ffc66a2077c90f4d35a7656d2b2ff96138f858017"};

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
