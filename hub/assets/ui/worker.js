// The page's service worker: it caches the app's own files, so that the page opens without the hub, and shows notifications where the page
// may not (src/lib/state/notices.ts). It must answer for the files in FILES only: the hub's data never pass through it.
//
// Each build has its own cache, which is complete or does not exist. An open page of an earlier build finds its later parts in that
// build's cache, because their names contain a digest.

/** The build, and the SHA-256 of each of its files by name; filled in by dev/worker.mjs. */
const BUILD = "f604547f4b0476ac";
const FILES = {"app.webmanifest":"e80ce7a10f85db1bf865dd4c8b0034ba18b3974692a6eaed82d1f652ffb1e27b","apple-touch-icon.png":"8c1aebb921919b295d39564bddf446790e34f3fbd66f8681d4401878c489d39c","assets/Act-CMRCzyVA.js":"46cfcc1b1f7c460c57aca3ebf3736f3285ec12493ffdf66f3cb7097c3cd38286","assets/AddBoardsSheet-CMzLLMbA.js":"bc1ccebba6ba5f1bb8b0bdc8183388063b710d53e87aa309a923c16ea75c440b","assets/AppBar-DuyhiC8x.js":"a220a0cc0987983f5fdce0c70f631f36d76b7f1905219c587afe42fdbbb74a85","assets/AuditView-tiXa1QIc.js":"e245321c9620a2690d99f056b6769c32ba63f795b9f89cada22acc53e0065104","assets/ClocksView-0dD-W-Oj.js":"845e4bea4e49ded423bd6f73eb5b9cc79be3da6e76bd30bae42da5d0f32ee423","assets/ControlPick-DPZxw5ny.js":"639906d29f1d5801dc7b58348b237ed8b644e30bff34739091cffaf1953de680","assets/Dialog-Bs-aC6sT.js":"6753dd39f7bdd51e910ef7331cd51e0f1c78da348a22f1ddf58848b1e3932d05","assets/EnrolSheet-BwZGUZIT.js":"155f9e80b23cd8741c58631340c74919a08296ba1fff784e4305ee93275c3427","assets/EventSheets-Kc6iurI6.js":"b0dd32540347b17311c3d481073173dd316c9ea2fb5aaf092830ecbcdac50d6f","assets/GamePick-Ip67zfvu.js":"90307b1d98906dab3fba1ea77fee4b5e59219e91ffc926cb42c4500bd765f28e","assets/HallMenu-Cxe3Bmzb.js":"8512d8bdf559b505d0837b1e78666db34a2e359055d1680e514f8eca74176a82","assets/ImportSheet-BzKIsbCk.js":"f7d44c692cf160f3099b14bd8df6ad240a7f529021a8fc0b327fd7a79310f40f","assets/ImportSheet-CAV4EDhp.js":"25616a2d61953520fa42741fc2ff5e49be62a3978e3c17c3236bbca99501e751","assets/LinkState-CktlmwP3.js":"9b827945e33b41a8ef9205293a947a32362b5ae33195cdfd0f3d5dce9f7b607e","assets/LoadFailed-BoqkHTES.js":"cb1eed86b8a612bcf3b2066050ffb8c346d8649eeac14d365a77ae79b9ec883d","assets/NewEventSheet-TtTCBY1E.js":"cd71726091f17974ca0a49c1045e70c473219a1911c4af4f21f9a6c86afd1cd8","assets/PrintSheet-Btk8zmmS.js":"02da6365148fea966c2fbbb11ed82292a9e93eaa06ade1fbea5a9423a79b029a","assets/Qr-DwPoq4xs.js":"ade51182a27e9bba3ac86ad34669a7c275ea2c87d8b285141c676a574ff02005","assets/Refusal-Gzgr91g0.js":"40af1a654cdc9d043574ee225cf3e6baea503917589022500ad1099af0fcfc50","assets/RemoveBoardsSheet-CJ1nhrs5.js":"e0169db6e8b6b0d182c8607860b95ddd1a17407bc0a9ee93de06a94ac34ccd97","assets/ReplayView-BBihOD_9.js":"2afddc827ee2b8507711588e4a781620b086348c00b0c956b344351f6762ac3a","assets/RoundSheets-CBmb-_eB.js":"ba93d376300238cc0ef9d781a7bf3b15e9e7fed935ba40a905ff066dbf304224","assets/RoundView-Q8dwDD3X.js":"afa371cf2cca47fdff688ada934174e582b98701150c4df99e60d4b4850c8e11","assets/SectorsSheet-Bt9ZzJaw.js":"38c3e6fb99ce314cd72f508ad05db834331b827be65f757b086e9d6bd56f46a4","assets/SetupGuide-C947rNl6.js":"924e75d55b9c9278ebdc04d874470ee69ef411ccaf4be74f5d0e785fe83327f4","assets/SetupLine-mA1V09CK.js":"33d00c3d589b46cbd34f12b1826ffd2bf209b573fb7e3460e3f19989f4a892d5","assets/SetupSheets-CdYQxygH.js":"433e39d936516cf442d0f4c466ab80cb338d61ea59624f061e74ff34354aedd6","assets/Sign-bkyp3xMa.js":"585b42be75abb08f049bbf705fbf66d91b936ff63f4ab6d79967db9d79b072fe","assets/SoundView-Bz_9O3O2.js":"0cf353f6ee80f8235b9fd6920323b5280462cae4752048651e591ee88606b396","assets/StandingsTable-CEI9WetI.js":"c5a0ede61a2842559e5e7283610ce68eb46686ddb49b3b6a731166a39157227d","assets/StandingsView-BQERYryA.js":"f1f195454e3158cdd253bf01cea8aefbb8bbf94d3503f7fb3423efa77e2394c7","assets/StartView-B9i12tD0.js":"cd454273b8fb762d56e4d3c8f47a91c9125f6d27556bed8624ee224eee6d5fb9","assets/acting.svelte-d-R-BDn9.js":"ed2541207dcaab981704f4a5e74c1521e58acd8a3ecda41081b8e9a5ee129a7a","assets/app.svelte-BCrInd7l.js":"1cdd3e1790ac8905424e6710770725fef15fcfb16b6ec13c1a4292879fa245e5","assets/catalogue-ChEJhfdG.js":"5200240eba890c90a8dca78c0f3b714524a07760d76a9593a61b2a34055f67ca","assets/chart-Bt1obnF4.js":"6d4491c03f4079ac242cf02a34244c786e5509b7f057a6d73592a275145a6e3c","assets/clock-test-CrWlXab9.js":"babeb3aaa736e77887d205d0b22ca5406318fe208a93ed43a20bea5cb5685e23","assets/control-DaybLa8L.js":"2773fc8a05a0c3a86788260afe6b563a0aec469fafc6c52b9368e93385b20b0e","assets/de-YIfcdr-b.js":"c4ad61bc0c7cd912432dbd1ea5cce0f501e589862deb041a2c1b819f29e4b524","assets/decode-Cb39y0Pn.js":"3482590646d178854743c23b14afb1410a00a9d83aeebc40a0f0cfaa38ced9a7","assets/disclose-version-BI9mTryv.js":"b02d38e3e31e3f1208c4f7407c2f714fb75f9c205c85f665d94d37d7c5d86705","assets/download-vWOnvHa4.js":"981768cfdc09e467df99d1d0077bac86679420b593c91e2b81fe36e906f44b18","assets/each-board-BwkdU761.js":"0cbcba9167b46fe46eef9cde9f585f03c707d0d69e0563ca39796a5a01ea4d14","assets/en-CBfw_mXX.js":"f264330dd40ae704f3435d24457c8579b89cf0c248618f2a1ce8f88a276135c4","assets/es-BlRbi2q9.js":"849ea32f8d8dfee3dd6cd6a075480abdb9fc80454a53debd6e38721182c6ec1e","assets/find-jNth8b0H.js":"1f56dbe6029adb508d2b79fb92c723dda97637578b0eb889d87b4bda406ddcd8","assets/fr-ChHJSKhr.js":"d643a7b8e14a8225a576c7a5c1b655471b7add226544de6f4236d34f5584b09d","assets/guide.svelte-CPBLoMc0.js":"fce43a1d1806bc662399871c1c0c6788e451a7dac380d2c2822a44958dd3d1d5","assets/hold.svelte-CMtDOZ2J.js":"c1d15b120ca71e2eee10f0010902453f82a8bc69f269194241bbf9ec43dd57b5","assets/index-BDYJnKhr.css":"023348dc005f122313839af6ae6fdadf88cceff5cf7cf212c024b637b8229ea2","assets/index-CY6Onwju.js":"eed10ccb0c6da7c9ca0884b8c8b6f05ec38c4585c3ecd7ef3d90e0dd6f5d84ba","assets/language.svelte-CNNrQalV.js":"0faedc16c22a694f23d756be159462644330c60bd29255e2cc36871c535c4c0c","assets/notes-BQtOa-2o.js":"5da690aecebe4d3e90f5f10a71b6d12b929b42168b772e81e6ab161ade1800b2","assets/pairing-4UcchwkD.js":"ac3cbd5569d43a93badaad4ee8221539035b232b42ec10a4eee2d749c87fa54a","assets/plain-BdVVEK8b.js":"e65c6905119b1d0742d070ba5cf909c8ffd2ff77cd56538d21f4a26b89f9ee8e","assets/plan-BR_8Vh6m.js":"47dcf59825f931b9cf879ec85c38e500c75e3936bd37a51f440035bc8c0ef3ac","assets/plot-BvcEVOZ1.js":"208f9081ed70cf4d53f8c27596825c718fdce69973ef293127a3c0f04f77ef67","assets/plot-CnsZ1jie.css":"0fd9465202f6dfceac29e67c17e5ac9fb1b7ba7615c1bb08782391b791d9f1e0","assets/preload-helper-BQUUbbNx.js":"fdc866086eb8bad8ef0387d4b59cdb01dd1e306f42453ee5e6b8b456102f1818","assets/qr-D15vRg4X.js":"dc5d1a8c7c42148c9ccc3bec037a2ada79d0d693645e20ba58b697f8e8dab47c","assets/record-BZuyhzn-.js":"71edb6fcabf97d86c7ed4fb3b05cc16bc9969c57f94e8f5cedc88b1b7599f665","assets/remarks-DLv-sOI3.js":"0f3bbf8d6af083482f6e4e68e9e1b7991656b9c64d10d5e851b367e17733c677","assets/results-BCscObcb.js":"80fa252251ec64ce840e6a66a2a91935bdda8ce7955838995a707cca90bc8435","assets/route.svelte-COE5zo5k.js":"1542559e4e53029e53e3f8c8a96d371ddafc51f49dc7fb63ba9a878c1e9482da","assets/setup-D4Mpd_iZ.js":"b4429c149259ecf9a71c4ed481cf86492c843ef97502368e264b530396ffa46a","assets/thinking-CSvMUra-.js":"a01c099115d12447dcd00bf1ff63b5c0c9f557cadfdb42f8687a233eb53c48ce","assets/words-nRAD8XcT.js":"b075589599d04d00399914153113677a84923ba0bde5d76934f2c44e7ec508f0","icon-192.png":"838415dafedc437e618d32d08525468cc0fdc832bf8b311d376d4dfb3de5525a","icon-512.png":"7faf3903cef657028b908bc60849cf7e39d2c04e7a4f601207db8f05bc4858df","icon-maskable-192.png":"5418f3217631d12a0fffc9a77189cd8f323e9eae2a9463300574d843cf0f79e0","icon-maskable-512.png":"e377d815f184ce54e5ded9b314561b9fca03d3fd0085dfe9ba594263ec03e055","index.html":"edce320a3b1529c4c0073b4a66bdc512844895fbe73d1df9ddeb12fb21d50c91","mark.svg":"480ac5e0eac82fac8fd0e85ffc66a2077c90f4d35a7656d2b2ff96138f858017"};

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
