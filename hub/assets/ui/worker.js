// The page's service worker: it caches the app's own files, so that the page opens without the hub, and shows notifications where the page
// may not (src/lib/state/notices.ts). It must answer for the files in FILES only: the hub's data never pass through it.
//
// Each build has its own cache, which is complete or does not exist. An open page of an earlier build finds its later parts in that
// build's cache, because their names contain a digest.

/** The build, and the SHA-256 of each of its files by name; filled in by dev/worker.mjs. */
const BUILD = "07db3d03fca76932";
const FILES = {"app.webmanifest":"e80ce7a10f85db1bf865dd4c8b0034ba18b3974692a6eaed82d1f652ffb1e27b","apple-touch-icon.png":"8c1aebb921919b295d39564bddf446790e34f3fbd66f8681d4401878c489d39c","assets/Act-CMRCzyVA.js":"46cfcc1b1f7c460c57aca3ebf3736f3285ec12493ffdf66f3cb7097c3cd38286","assets/AddBoardsSheet-B8Bk_s2_.js":"7d4e41274d006636d103112ac63e1efb88ac6ac3bd12f7d81782103de3fd4cd3","assets/AppBar-DJ1hhn1I.js":"4073fcf955ad069db3ba71f6e81a510b1f51e1390072829130fcf7cc06272cce","assets/AuditView-D57M5BTb.js":"4b4c5b244fb651358ffbea1b9f0cb56664cbac7a7f0ebdaf17a562b1554ee19c","assets/ClocksView-Bm0qh_7Y.js":"17db0a1e6c411d8280b5d0847dff919a0e1caa8db762b6fb2c111598e65e355b","assets/ControlPick-ByRh1XPr.js":"74e33a4bf56ded7f2314bb3bf3a05eca1552547bc7ce32b453c1ed70b0278900","assets/Dialog-DfVPecq5.js":"2999c4208632615d9871a67c501bc25346511378e23ee9cda6286c550d03539c","assets/EnrolSheet-aKNpjn31.js":"435189cb2f6113e3e665fe8b8a218d0164c92e4ef84e17b8afea9ef0acc4321e","assets/EventSheets-s6MLbnKd.js":"5c3f2ea788d4fd16c2b96cb5c94e32167deae6237cc69b22564625913ec67d25","assets/GamePick-XwDvvxal.js":"1ebae84a987ffec9f27475a47fd277f25ff734a4731155ea6aae19d363c97d17","assets/HallMenu-C4zV3a_0.js":"7636f7dea057eb77e47d19a8936b7522f5c6ebd8e16d83febfc94cf471437f48","assets/ImportSheet-CLj4qPZG.js":"5713edeb6163da5ed5530da431c6c1c3cc4f2d3da4a8c100006b64fd776be603","assets/ImportSheet-Dm9XI6j2.js":"fc68317d4510e75bf896ea9b9e89ff917c1a88976728b2cde82afcc214d81233","assets/LinkState-C5htIEkq.js":"e53deaab178bd71acd51aee3c752b6a7029e7edd0fb3d7de33706266af877581","assets/LoadFailed-B7bWqizy.js":"8afd95a26a7cf8c628cccb2c97afedce48f6054d718459d29a206844ca3a6fd9","assets/NewEventSheet-BqzlsiBd.js":"b910f70dfd3eedb71cf39411af3be3f5373136a470fcbc062e6b92236b5f8624","assets/NewEventSheet-D9gKN_HI.js":"82c3fcc2e1fd3bb3a7d4b19b975fb81b48504c891aef0e2c08248e946a0a88e8","assets/PrintSheet-DuCw8ST9.js":"ddd3a6a656adbf98c1bbf04676216372a4a0c0ef0ec94b3cbee6156979fcbbae","assets/Qr-DwPoq4xs.js":"ade51182a27e9bba3ac86ad34669a7c275ea2c87d8b285141c676a574ff02005","assets/Refusal-Gzgr91g0.js":"40af1a654cdc9d043574ee225cf3e6baea503917589022500ad1099af0fcfc50","assets/RemoveBoardsSheet-BvcS2qBL.js":"d19820d4d7de5f59f00d1edb6ff88410fd317b61df8bc45423d7d139e880a8e4","assets/ReplayView-DaDuqEfg.js":"c0024b61d7e3c06819cbac8ea2f7474503c8ff19899e00bbffa9410fb2781d16","assets/RoundSheets-BPS-rDaU.js":"6ef8fb9cc1d595e2eed38e6d04b6b6b937515a37e58f7fb6f70eb47ca4f57bd6","assets/RoundView-Cq98LJP0.js":"5c9c3681b65bf0edb983954aa644be41868eaaff31008c048dbdcba3713ec04f","assets/SectorsSheet-fgzqlIbl.js":"34cd8d97ceb97c8db0db01d5946cd927f59a24d105d0adcc3d99f11508201502","assets/SetupGuide-DKv1BfEA.js":"d77ad21fb18469729c05e9606b9805d3260ef883eaf8dae5c9e8839687a19fb7","assets/SetupLine-D7Coo9cF.js":"544c43d27f28c75e18f409ce61cdfad0f54fbceb8b65f4b2edf4e3b76fe53714","assets/SetupSheets-D-pfX49m.js":"2529b9ba0c1f974329b80f0918e10f6c43d15449ce396fe6277804b2a0168582","assets/Sign-bkyp3xMa.js":"585b42be75abb08f049bbf705fbf66d91b936ff63f4ab6d79967db9d79b072fe","assets/SoundView-CgnT9NXV.js":"013e91b9445a4163a6ff542379a55c5adbf99e73726e6e22f1121cdd79546cd9","assets/StandingsTable-CnhLu1AQ.js":"80afc0d7d5618a7bb830ffe86cfe6bd978c5ff6193fa21cc9a68c33ca309e48f","assets/StandingsView-DvFrvw70.js":"69d473f7dd131e8eb2ae267eda96d0ebaeb65ddefd0ddfe23be30af4ceab7be0","assets/StartView-C4OkheOd.js":"03a17ae42a42b02f11bd7babca2573827a3583b7ad0c39828a5d64ebd97f2ef4","assets/acting.svelte-BSwE9ZTp.js":"b747bebd61b378e88276fa3069f8dc76cf80a9452ab81ea69a9c70518cce9e86","assets/app.svelte-pvu5CE4V.js":"5d0fae4ed1c0d261f22079369263daa0cb6f342f64394e449c51338c572d23f9","assets/catalogue-ESpZ6erA.js":"ee6ead9d2fed1e7cd9a4279007a90fe898c78d8789f5d85abb49470318810b83","assets/chart-Bt1obnF4.js":"6d4491c03f4079ac242cf02a34244c786e5509b7f057a6d73592a275145a6e3c","assets/clock-test-Ycfr7zaz.js":"60256e14936d591ba8984c2495c028e6a73609d8e818e5a80babaaff306b4108","assets/control-CEAPtO9u.js":"b9256945ee361a6d041c9665944dff4c7865677b66d580c7798a8fb9cab78ab2","assets/de-_tghxqGY.js":"bd091f230bcb486ef7c8404d88280a3301229cef6d5826531accb041746f601d","assets/decode-Cb39y0Pn.js":"3482590646d178854743c23b14afb1410a00a9d83aeebc40a0f0cfaa38ced9a7","assets/disclose-version-BI9mTryv.js":"b02d38e3e31e3f1208c4f7407c2f714fb75f9c205c85f665d94d37d7c5d86705","assets/download-vWOnvHa4.js":"981768cfdc09e467df99d1d0077bac86679420b593c91e2b81fe36e906f44b18","assets/each-board-ChE7iDQh.js":"920d97140f6bd738243a9188136262cb5f291785124c53d8e4bfa8ae6f6f19f0","assets/en-D_VmkyzS.js":"e8a9dfe39cd877eb40942f283f4d4e0d53dfa8123e58e445919d97e6f739ed51","assets/es-CvZij3Iv.js":"54ea2e3bc95e1698630e6966046aab8d16d600fc499fe3047d154aa25e411faa","assets/find-CcqerGiO.js":"246f6db6656c00185710aa4c1b0e805b4f72142073c7503ca84b47e4676b2cc4","assets/fr-ADbxiy0E.js":"5bcfdc86d37e89d6d4bcf4b297e5b6da87d68e9c51a10d7ce47858d5d41a5532","assets/guide.svelte-CPBLoMc0.js":"fce43a1d1806bc662399871c1c0c6788e451a7dac380d2c2822a44958dd3d1d5","assets/hold.svelte-r3caMplg.js":"157f4a6e093b7f2d345207da4aea02c76080949769ef30bb3578486dd6020708","assets/index-DS_Px6mG.css":"81a047df62134810eeebff3ba1281d34f860fa029c9d6a7c9d96f98869b69966","assets/index-DrlWkQah.js":"74f68026e35f794a88a9063150938c7de4eaf53bc83b82ca3560f19a2ceceb37","assets/language.svelte-GvvcqrL1.js":"a9b25144623bffed36333981ffbc0d8a51ff90fc972b40add8cfa5277bf7a831","assets/notes-CoTcWNl8.js":"9e744ea0728b08c832125448b94135b80a0475dc167c20fb117a019251333b6f","assets/pairing-Bxp6ChpM.js":"a0787f2714e2f37896af6dd1023e1fee46b2e5ada15b07c896732de0af007187","assets/plain-BdVVEK8b.js":"e65c6905119b1d0742d070ba5cf909c8ffd2ff77cd56538d21f4a26b89f9ee8e","assets/plan-BR_8Vh6m.js":"47dcf59825f931b9cf879ec85c38e500c75e3936bd37a51f440035bc8c0ef3ac","assets/plot-BvcEVOZ1.js":"208f9081ed70cf4d53f8c27596825c718fdce69973ef293127a3c0f04f77ef67","assets/plot-CnsZ1jie.css":"0fd9465202f6dfceac29e67c17e5ac9fb1b7ba7615c1bb08782391b791d9f1e0","assets/preload-helper-BQUUbbNx.js":"fdc866086eb8bad8ef0387d4b59cdb01dd1e306f42453ee5e6b8b456102f1818","assets/qr-D15vRg4X.js":"dc5d1a8c7c42148c9ccc3bec037a2ada79d0d693645e20ba58b697f8e8dab47c","assets/record-LiDrN2Cy.js":"d6936c03b99d8b73f075286d7bf15d4db49a0a0c218a1718edc6911626aefe57","assets/remarks-D9flUm_q.js":"843fc851ce5c5c655268e6c4f527fff7a14c561565f88a60073384acf58e7e0b","assets/results-Bxbo1jtx.js":"d41ac96bcf67ca2f5e1c791eeaeeb57a75cbf62ae68a6312c59fc0929dee1917","assets/route.svelte-RpQirYYU.js":"e5740f54b3c238cd88d6259f73f575110f6b8094025d170beaa166ef352b9a91","assets/setup-Diqug1y2.js":"33645a3f23ef92cb7f91e42d08089221fa5ad22111cdd514408d3eca5b92ec7e","assets/thinking-CSvMUra-.js":"a01c099115d12447dcd00bf1ff63b5c0c9f557cadfdb42f8687a233eb53c48ce","assets/words-Ca-hZaim.js":"d57674319847576a9e72217dc7297e33411eb0d12f938a6a557f416eb770a546","icon-192.png":"838415dafedc437e618d32d08525468cc0fdc832bf8b311d376d4dfb3de5525a","icon-512.png":"7faf3903cef657028b908bc60849cf7e39d2c04e7a4f601207db8f05bc4858df","icon-maskable-192.png":"5418f3217631d12a0fffc9a77189cd8f323e9eae2a9463300574d843cf0f79e0","icon-maskable-512.png":"e377d815f184ce54e5ded9b314561b9fca03d3fd0085dfe9ba594263ec03e055","index.html":"2f376bdc1df470eb4080f85960d7d05e708311227c638cafe3fee30b6340afd2","mark.svg":"480ac5e0eac82fac8fd0e85ffc66a2077c90f4d35a7656d2b2ff96138f858017"};

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
