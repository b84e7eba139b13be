// The page's service worker: it caches the app's own files, so that the page opens without the hub, and shows notifications where the page
// may not (src/lib/state/notices.ts). It must answer for the files in FILES only: the hub's data never pass through it.
//
// Each build has its own cache, which is complete or does not exist. An open page of an earlier build finds its later parts in that
// build's cache, because their names contain a digest.

/** The build, and the SHA-256 of each of its files by name; filled in by dev/worker.mjs. */
const BUILD = "b1562c8993cc113c";
const FILES = {"app.webmanifest":"e80ce7a10f85db1bf865dd4c8b0034ba18b3974692a6eaed82d1f652ffb1e27b","apple-touch-icon.png":"8c1aebb921919b295d39564bddf446790e34f3fbd66f8681d4401878c489d39c","assets/Act-CMRCzyVA.js":"46cfcc1b1f7c460c57aca3ebf3736f3285ec12493ffdf66f3cb7097c3cd38286","assets/AddBoardsSheet-Dotz-qC1.js":"8d7d54b7aede96f95142484263c5a6b1ace8dfcdb67cefd01000cc490a7c932e","assets/AppBar-DTpGO5Qb.js":"907397f1a892f755b1d0d210915d34100862bbfdf704b9c32369fbeaa80a44dd","assets/AuditView-BXrs5uDI.js":"5a828836efb0be77bf63f04de3209028e7c4f2c04cc3feacac8cb593261254d2","assets/BroadcastSheet-DyUqwzpb.js":"b0d86ca1d067141ef742816c32d08e3edd941da43358c1f5409f0a45627154ae","assets/ClocksView-Cr9GrJzn.js":"de98a99d259e6227f435a6362fc07f4b516b47533fc7d220c6aaa7bf462f01ff","assets/ControlPick-kEz-HICd.js":"d89b13e2f706d68ffd0512ab2597519e33731a119c222869cc88374d18bb87c2","assets/Dialog-BaIgHuIq.js":"65d651da310f3866311cd82b000d769aeedd917c0113c50dfc50c4bc81339c0d","assets/EnrolSheet-DjmovmaE.js":"4fd9d2ad714b0868cef51f26696969a53c2df26040e2ff2618a9040cc128a3fc","assets/EventSheets-DVH7sRz1.js":"275777d4960e5da11dcd0dfb108c6f19f649b2f6622facb7eac1c95b05e62c77","assets/GamePick-BDpBmIXA.js":"0bbd5747aaeca516de20871e5c650a82075db8876de243b39c88b43127084509","assets/HallMenu-Bavyj85H.js":"e009ef1f49457875902901660382421e6d661e68ff2f1b5823090dfcf1e29bc0","assets/ImportSheet-BU1XmGjp.js":"235d158839f44d166acaa19d5f5faa0b1a32ca2ab6454c68989deb8ee4ba25ca","assets/ImportSheet-evMZud7R.js":"e04ce0e50665697f3255638280cf7a289b3c4f673d95b0cf6e443bb5ec188afc","assets/LinkState-CQuWZ509.js":"58e1b447c0659667dc8250ae956800def7f5d72cb2342bf8d82e16d2f7d987a8","assets/LoadFailed-DAghfDbu.js":"f4fc134e0479ec1e36a1f4716318e33b40724f07a24ec487552ce64d3479fea4","assets/NewEventSheet-CVbEHfu5.js":"0b623aa48f5c60317e40fe682a4ae123caeeecef8acc3f767d17d1286c068d07","assets/NewEventSheet-GaAL0GDl.js":"ab0ad2b2be1a671ef11985a378dba52627398fba81fbcbfaa714c6080f86a339","assets/PrintSheet-Biq4LMfm.js":"445082a15daee1eef06133a03e215a03e573454e4ee8b0911577b479182d02df","assets/Qr-DwPoq4xs.js":"ade51182a27e9bba3ac86ad34669a7c275ea2c87d8b285141c676a574ff02005","assets/Refusal-Gzgr91g0.js":"40af1a654cdc9d043574ee225cf3e6baea503917589022500ad1099af0fcfc50","assets/RemoveBoardsSheet-BHucq1wB.js":"70f60fdde296ff7ebb18366b6208aefc2c56c014b758ecabd540b9f5f1b9fa0a","assets/ReplayView-7ekXLZeM.js":"6d3476d6912fb07ce52ed0bb388ef2284467d06759bedb98e25b8c97edc7159b","assets/RoundSheets-Ks6zS90O.js":"705f30b7ead6195cd14d89d474b4cdfda52e993a3c341734d2f03f0a4f61fcfa","assets/RoundView-BRiDgLRG.js":"84749071b873ca79cb9051b7aa75bb50f427d64da83c8ed8f0cbcb54349c4197","assets/SectorsSheet-CPNbvk5O.js":"86ad0a1d75a03fc8b88be6736ca3273f5e17aa63382f3bf42b933a7132bfeb42","assets/SetupGuide-BgXuysy3.js":"e2ae7018c318c02556dafaf867be7670edc37e977b170fde0c8019015c00ce36","assets/SetupLine-qKdbQE_Q.js":"7bdc8ae8a6b4b46ed9c98f4dab0cd5016bb1f4b7f90185220bfb8eb948474705","assets/SetupSheets-4JXF9VP5.js":"3e1134275b9cb07cd2158c904f4786c4163535522ef61a3aaa732b532df4d458","assets/Sign-bkyp3xMa.js":"585b42be75abb08f049bbf705fbf66d91b936ff63f4ab6d79967db9d79b072fe","assets/SoundView-CZV3lCOs.js":"1860ef5f408f29490e641f7ea6542011fd758f57af69ab2237d96238a38c1aaf","assets/StandingsTable-DTwyCtO8.js":"44855fe87c11289236650e2f32bf3c4c7b09a034408bb0c8908f465fa6e209e5","assets/StandingsView-dr52YNym.js":"1c0c801836745061396669d6e8df314b76c217e28aafbf2453aed452a085d892","assets/StartView-Bp9BP6tO.js":"29c27939c1f3167a0cb45e4bbf59477dbdae1c117399ac8ece56c75e54e124ee","assets/acting.svelte-D3FQiEro.js":"3a8d1fc2caa853a5c13426b7f8cfa63f3e1042cbf3529f60107cfa9d093518aa","assets/app.svelte-CFKz5nBb.js":"7b7228621cc5c0fd28f3b2ac3ebbf8698f1fada959ed6638d3cdc2fecd68d15f","assets/catalogue-BNp96uzE.js":"fb0cd4b6c78f775f7b3563a539d58a1b9df84f2419bfcc60be5cd77f369e11bb","assets/chart-Bt1obnF4.js":"6d4491c03f4079ac242cf02a34244c786e5509b7f057a6d73592a275145a6e3c","assets/clock-test-CIHe0gbJ.js":"1567726c4a119332514779090d00700990665684c67e9ff09b4d0d2692ac2450","assets/control-T9168I4V.js":"118aa52ad8a2ce9fccf138f6e7c0f6b4500114dcc40dae272e9224fc4f3527f9","assets/de-CMrN3NgP.js":"6bd0d92afa2f0908185b7126b979aac33d8455eda4c93842bb1c00e9d5feca6d","assets/decode-Cb39y0Pn.js":"3482590646d178854743c23b14afb1410a00a9d83aeebc40a0f0cfaa38ced9a7","assets/disclose-version-BI9mTryv.js":"b02d38e3e31e3f1208c4f7407c2f714fb75f9c205c85f665d94d37d7c5d86705","assets/download-vWOnvHa4.js":"981768cfdc09e467df99d1d0077bac86679420b593c91e2b81fe36e906f44b18","assets/each-board-B7WkghSg.js":"81955e070cd54c2709de5c9fa3c37fd10d21a06e098515347b36e5748e42a05b","assets/en-CyqMX-hX.js":"b4f30fd98d9af7c2b65399f5edaf5848268f4f40ea58eb43eef40ff24afb0104","assets/es-DLrsXA41.js":"04f412ef260f524bc4ebf49c93a662da7df8f60aa941c4e7bcb679204e564453","assets/find-B4FWhxty.js":"50b85e9162d5f07a0d742ac34383ea1efcc432e466dd23d9e35fe3eda6af5721","assets/fr-CGX3bgmH.js":"5fbbf1ca55539dd0efeab1d4d2597c3b0fa6593408420ae0033910b5fe392af4","assets/guide.svelte-CPBLoMc0.js":"fce43a1d1806bc662399871c1c0c6788e451a7dac380d2c2822a44958dd3d1d5","assets/hold.svelte-DX5IS6wI.js":"99020634a6ad72dcd47a256e3df7b2cc1b76de44c888de022ef915d8e1f018d5","assets/index-BVZoNwst.js":"25d855d19077f5f7b4befc95c1e7405a2aba67698c8aaabc61f9736472455b52","assets/index-BmnieM1g.css":"92be2d603d4090f8c39cbd0a10beaa72f082b861f89db1c8c46de9463044e24c","assets/language.svelte-ButLkFE2.js":"41ce295460373a48d7dc1085f2b371e06a00ab4c17c3c5573887787e515e347b","assets/notes-57HdJEkU.js":"9c5cf00d1142b00fe465beb565e18614dd7f63931c2c65bd09419ea033ada58a","assets/pairing-BcTqTqC5.js":"e74be6130b1d01c88e864bd973250a52b6e245bdc73a4588fd10948129b180d4","assets/plain-BdVVEK8b.js":"e65c6905119b1d0742d070ba5cf909c8ffd2ff77cd56538d21f4a26b89f9ee8e","assets/plan-BR_8Vh6m.js":"47dcf59825f931b9cf879ec85c38e500c75e3936bd37a51f440035bc8c0ef3ac","assets/plot-BvcEVOZ1.js":"208f9081ed70cf4d53f8c27596825c718fdce69973ef293127a3c0f04f77ef67","assets/plot-CnsZ1jie.css":"0fd9465202f6dfceac29e67c17e5ac9fb1b7ba7615c1bb08782391b791d9f1e0","assets/preload-helper-BQUUbbNx.js":"fdc866086eb8bad8ef0387d4b59cdb01dd1e306f42453ee5e6b8b456102f1818","assets/qr-D15vRg4X.js":"dc5d1a8c7c42148c9ccc3bec037a2ada79d0d693645e20ba58b697f8e8dab47c","assets/record-PRreBNbA.js":"d9f860daa2d3be5d26511e23e870d6338acacf50d0836d7f12a8b42b5b93485d","assets/remarks-B4QYdZE-.js":"607c91dba78365a71052d2c27c613ffe2b1b57c8f5e0a7883e17bad9b2f4ddbd","assets/results-ByMqVFI3.js":"65b2085a03c378e0c9a71d3c28798bc488063ad0d8c55a72a9d432837f20d35a","assets/route.svelte-CZGW5ZNA.js":"a818120b21b8f092041d9e47155b089392c1c2d6a14bcebb53c170b14e95f42f","assets/setup-Bl-vX05H.js":"64d88ac66f14016981b79ed444a1b740c692983830472d62727262181d5fa367","assets/thinking-CSvMUra-.js":"a01c099115d12447dcd00bf1ff63b5c0c9f557cadfdb42f8687a233eb53c48ce","assets/words-DJacvpHm.js":"14d96244f16d3f6bb499c1d45e7c6fdab3420d1edba64126bb11268e72143f8b","icon-192.png":"838415dafedc437e618d32d08525468cc0fdc832bf8b311d376d4dfb3de5525a","icon-512.png":"7faf3903cef657028b908bc60849cf7e39d2c04e7a4f601207db8f05bc4858df","icon-maskable-192.png":"5418f3217631d12a0fffc9a77189cd8f323e9eae2a9463300574d843cf0f79e0","icon-maskable-512.png":"e377d815f184ce54e5ded9b314561b9fca03d3fd0085dfe9ba594263ec03e055","index.html":"91b8e9db7d1a67caba88c8850cc16c8f9453f25c6e0d3c3871fcb4f295a99dce","mark.svg":"480ac5e0eac82fac8fd0e85ffc66a2077c90f4d35a7656d2b2ff96138f858017"};

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
