// The page's service worker: it caches the app's own files, so that the page opens without the hub, and shows notifications where the page
// may not (src/lib/state/notices.ts). It must answer for the files in FILES only: the hub's data never pass through it.
//
// Each build has its own cache, which is complete or does not exist. An open page of an earlier build finds its later parts in that
// build's cache, because their names contain a digest.

/** The build, and the SHA-256 of each of its files by name; filled in by dev/worker.mjs. */
const BUILD = "07df57ec911a9986";
const FILES = {"app.webmanifest":"e80ce7a10f85db1bf865dd4c8b0034ba18b3974692a6eaed82d1f652ffb1e27b","apple-touch-icon.png":"8c1aebb921919b295d39564bddf446790e34f3fbd66f8681d4401878c489d39c","assets/AddBoardsSheet-CDU8d-Bk.js":"dff4116b3e52eb801cfc4d5eb1aa8f54e1de3dbb946513056d31f9da112063e4","assets/AuditView-vGmyuMWs.js":"eb94970a9b2e414282e1c8f8f2c8dcac9f973d5e89f8024ea5dfcdadf0439ee3","assets/BroadcastSheet-CyTa_gxm.js":"c59bdd2fcad10ecc484bbc6a4c780b7394975e186c25f08ffa5bddd81a68507e","assets/ClocksView-XEKZcBmN.js":"5b0149b60765419460248fab08cfc62b11738a5ee331487bd66d3d21c4af2794","assets/ControlPick-BzWB-R6B.js":"d48c4145313b330491477df9926c901357f6c5c89dfd0b8bce58bff79aa3141b","assets/DayGameSheet-Cgpzio_G.js":"4bd17b0f9f5d0e06de95c95e37a870b8924cb52e7d0764590ac3b7eb25e73683","assets/DayPhaseSign-DQtmQMB-.js":"6af5df8567d896acc27bfba10342bad40b32324b1a2b04f231193b9011db1a88","assets/Diagram-DIj3IoJQ.js":"0a6d216d64ab4b694adf5c1a76070369f66a6b6f39e2b173f7a6e363f2216f23","assets/EnrolSheet-DpwU8nvy.js":"70918c0aaeb56e7123989542f591165c3fda3a360aca856d58d0443148324a7f","assets/EventSheets-CtxReX2d.js":"1f54a545bb262ac0fa545184a338b967be701c233e2bff0783dfb1b90de11dd6","assets/GamePick-BzRYfV7Q.js":"a8788434ef67a0cdb9e5885c8655ed1ab44fd8c8dc4b19c2e8b187850b1b65cb","assets/HallMenu-DLHwLQuU.js":"848333933fbce9bbe1d04d62ae0de4d352a1deaf4d5fe594ff9eb0e92ffed0ea","assets/ImportSheet-CHTILGQO.js":"3b346faa75326f0baf89c94278512da55065d5f44df45f434fc3ef3ead3e0567","assets/ImportSheet-CsJAU3zE.js":"f4729a82008636059fb64a550b622a63c7bbd4eec27bc04769aefa2e4fd2e186","assets/LoadFailed-dAFEVc_7.js":"1bed969bc8315cc093a3ba0c0a75b3a6f82c000d3006fff64ee0677d56a7b844","assets/NewEventSheet-BKJ3Xqvt.js":"fa944292ae2000e08d0a56c9a2a2e7b71d322dab0a039890129e6e73af29f9cb","assets/NewEventSheet-JZDU_ybP.js":"c2ce4e346ed73833ce5e208104eda53970f68e0da202efa48c836c1e6d80c79d","assets/PrintSheet-RCmJrslY.js":"fafbf3b6f3e9fa1b918d9795234191f95c2a170cc2ff7a249b526377b05cc10d","assets/Qr-DxvpAMDL.js":"dcdfc95913abb078d93b434614e509105da25a8dcb8d0f6778a84f74b6c94c12","assets/RemoveBoardsSheet-xzcDfPDh.js":"943806e1351c02792daa778ff8bb28fa9690afc43019a3feb9077cba2a809606","assets/ReplayBoard-DMuNQYFF.js":"7ef1913328d89dacc869521d25e77b5820ad37bd9f0ddbb6442b3f2adbc09810","assets/ReplayView-CdLCvTWV.js":"f4d9c52760ddabec1234dec75c550406cf412f5faef9ac978804912e30720511","assets/RoundSheets-BAwLUAga.js":"2fdaedb4e18c34f18a52606d868cd702fc94443d7d9db4b1b64044735d35e561","assets/RoundView-BQrEHgnW.js":"a0a961bece15a46f9439d7a41607e580fbed676ce37bdb123e8b89ae1dbf8e14","assets/SectorsSheet-D2pK-pun.js":"a05351de7e0a24525a4cd1c0227ff2d1de83a3972923b52468d932675238228f","assets/SetupGuide-CFOjSR7u.js":"b9d5c9a2f4d3a0dda6f53504f9aeaa70b376885132c5ea8691abd15fb6aa80e5","assets/SetupLine-BkA7VzGm.js":"62d3424d9aa2911a6589a9e09ee2f1c371a71437bf0a977a623618774a1c6489","assets/SetupSheets-BiSs7BcD.js":"baf0dfdde76585bf5526c229f3f8c6ba941f97dadff0ab7e9e16d8fcf83fdcd1","assets/SoundView-Bykk_Myh.js":"e345d58d45a88d47c65eab4a0054fa41412f07bb478ced80bc99761900660837","assets/Sprite-ScGvNl6-.js":"c300a36e2220337f660cd73b36173e6061c487d9a13e94ac57079e9ac8413712","assets/StandingsTable-2meZPsFm.js":"5e80fc62a1ccfaa9c0879b4e016abd892a82446c9c70f87befe9af082a6ce149","assets/StandingsView-DomB7R_6.js":"5b474d8c9738e3564fa9863c7942ca66e3e112a82a75209bd8f6db72504bdca2","assets/StartView-w__KPS4H.js":"20bc8f5f43779745ab57fe1a00ab7fb27afb9f09d560cdcb308a1a6a74c625b0","assets/black-bishop-BEJxz6w6.svg":"b4343211dfa30fd8fb54f02bb6c088dfd64d586699503c7e4b38248546cab986","assets/black-king-CuVr95xE.svg":"324683f02ba4eb5e24cc9b8a9059d6f95d47bb1fff6c2ef0994d247ade9bb23f","assets/black-knight-DDE7OGzF.svg":"c9c51d6d11c2e3993bed1678cf744a205cf56f23c9d13df5af7ed664243e1c1c","assets/black-pawn-BVh5P20C.svg":"fbf212c48bae17e1438369893b8b053f5a22128301514168a7961d984cb02257","assets/black-queen-uBM8KzKr.svg":"11989a32b8925061ddc6dcc63f9706cdef1f0575161345fb5050d7bba703605e","assets/black-rook-DVdehaQU.svg":"6408c626e971e5cc09cbebc2f8c7b6e5db1ffe29ae612476ff474d53d0103c5b","assets/chart-Bt1obnF4.js":"6d4491c03f4079ac242cf02a34244c786e5509b7f057a6d73592a275145a6e3c","assets/core-Cb0_BhLY.js":"aa7a764655b02993e6d321d418710d8a94b9d354d52363cd13e329e2169102e4","assets/de-BSDMocR_.js":"102ce59d26d709b7dec2f6e07ce143bc033a7b1b38cb105988b36fca64f69cf8","assets/decode-Cb39y0Pn.js":"3482590646d178854743c23b14afb1410a00a9d83aeebc40a0f0cfaa38ced9a7","assets/download-vWOnvHa4.js":"981768cfdc09e467df99d1d0077bac86679420b593c91e2b81fe36e906f44b18","assets/each-board-b4ZivAis.js":"a5ad43856e668e9fe458bb15a68084cae7a9fb22ff180e19b4d74adc7d1e2d8b","assets/en-CIRlVvs1.js":"41a8104e398f9e3a216266a4866f477a77cfc62f02cafc543c6f0bb5a1c3407d","assets/es-DiaYI8-X.js":"9e3f193bc8913f958dc0402283194338d7336e41268a9682bdfa694aebdb3301","assets/find-RI8RktOQ.js":"77aca647d23c2c7ea296c03a0758f3488519f6bb0dc89dcee46023da86f72d4f","assets/fr-R0mK7TZt.js":"48f10dc83c2f0057c38159fd1f2f094f524153307abc8c6253e99d2c0e2c568f","assets/ground-DZh6TZy7.css":"145435c907ce305321de8dad299b341d852a4486f9c40bffb8206690a934b3e9","assets/guide.svelte-BbE02OXT.js":"5d1ae57b6b69de412f75a2b5a1a8194087a4357a5c2a49e6d6278e72f10683df","assets/hold.svelte-B2xK60CH.js":"2ff0eb2e81d21ebaae1044116e66a2bc0ce63a3420dfc896421249718937c622","assets/index-CnOXZGMg.js":"4fbc97ef2c8dbdbbf78598aba6b2724f8383c141435d630dda39f0cd87ab835e","assets/index-Dd-V1WWi.css":"aafab937896acd136b744b8ac64db9f83d506034868b88ae41c23b233125d6da","assets/player-C01re7HJ.js":"afba30cd7689be70ec3308deeec87074e22af811d9d9f191b053180236222f0a","assets/player-CZqrz7Eb.js":"fbfb5c572e4109ea199d2a0d682eda50bbcbe922d122922dbe85961efbc07fe1","assets/player-DztfTeor.css":"815496fe5fb1e39991bea81cf8ddf4498e00e91a18ef51ec07a665b43e684c65","assets/plot-BvcEVOZ1.js":"208f9081ed70cf4d53f8c27596825c718fdce69973ef293127a3c0f04f77ef67","assets/plot-CnsZ1jie.css":"0fd9465202f6dfceac29e67c17e5ac9fb1b7ba7615c1bb08782391b791d9f1e0","assets/qr-D15vRg4X.js":"dc5d1a8c7c42148c9ccc3bec037a2ada79d0d693645e20ba58b697f8e8dab47c","assets/record-DO4QsXiu.js":"81e179117bcc4b42632ad8e331954d9818ca9260bf15a335d374c2445c32815f","assets/setup-vd5VoWC3.js":"22b547f1608b84edb05fd976667ef2be76d3ff8983bf9f8e3d1da0541cfd3bb5","assets/thinking-CSvMUra-.js":"a01c099115d12447dcd00bf1ff63b5c0c9f557cadfdb42f8687a233eb53c48ce","assets/timeline-Dwu8EJGm.js":"6c4e28a63912a602629083c41e9715b1fd783073a4156675a541d0715baac094","assets/white-bishop-BDXOP_ZU.svg":"a0341e416a85b6bd05020bd9a3615f0d4359ebc776cfd9b2bbf2813ca1b73e0e","assets/white-king-BPFRxpdJ.svg":"3f7f546c1c672cd4939c8577bdb53359517939a6719b4d65fb90c0c3a6e9d0ed","assets/white-knight-DQjoc8hb.svg":"1407efd029cc1a59410db0a6b8c596817914c9c5edae303be7374b3d25dd82b4","assets/white-pawn-BABWKBQq.svg":"c2d652c07fcdb4fb983ad26e45908e631e955bfd84cbae3e93ef5c26f5ad74ab","assets/white-queen-baFt1AQz.svg":"06cd2e8ab40436c3f7f841642e65cabf27c1a554ecdf67e984d778ad74c169ac","assets/white-rook-BpCBUtyS.svg":"c7033117813319e3c477629d337516e051ac2a5438460ad3abf21a8d9bca5bb0","assets/words-CxERCYR5.js":"bb0cd666804b97a1a51c3caa0bafe3d60a6cfca909c7ce3e6ba997ecd9dc6ffc","icon-192.png":"838415dafedc437e618d32d08525468cc0fdc832bf8b311d376d4dfb3de5525a","icon-512.png":"7faf3903cef657028b908bc60849cf7e39d2c04e7a4f601207db8f05bc4858df","icon-maskable-192.png":"5418f3217631d12a0fffc9a77189cd8f323e9eae2a9463300574d843cf0f79e0","icon-maskable-512.png":"e377d815f184ce54e5ded9b314561b9fca03d3fd0085dfe9ba594263ec03e055","index.html":"648113503f9e74ec8b76a827a55813033bd3ded0471e0df04bbaafb0338a9056","mark.svg":"480ac5e0eac82fac8fd0e85ffc66a2077c90f4d35a7656d2b2ff96138f858017"};

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
