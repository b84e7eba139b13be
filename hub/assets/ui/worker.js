// The page's service worker: it caches the app's own files, so that the page opens without the hub, and shows notifications where the page
// may not (src/lib/state/notices.ts). It must answer for the files in FILES only: the hub's data never pass through it.
//
// Each build has its own cache, which is complete or does not exist. An open page of an earlier build finds its later parts in that
// build's cache, because their names contain a digest.

/** The build, and the SHA-256 of each of its files by name; filled in by dev/worker.mjs. */
const BUILD = "629e027ff5f9aba6";
const FILES = {"app.webmanifest":"e80ce7a10f85db1bf865dd4c8b0034ba18b3974692a6eaed82d1f652ffb1e27b","apple-touch-icon.png":"8c1aebb921919b295d39564bddf446790e34f3fbd66f8681d4401878c489d39c","assets/Act-CMRCzyVA.js":"46cfcc1b1f7c460c57aca3ebf3736f3285ec12493ffdf66f3cb7097c3cd38286","assets/AddBoardsSheet-AmM_fskY.js":"3a01aca3e25d41f855e749213668f04cbee6d7cb75dc5d329a2c8adca23e7133","assets/AppBar-CAZ6KBqV.js":"0b7ed931de46197f47d971803dc583c529cb3eb1f34c05297379d89ac60ea034","assets/AuditView-CWJS8M2N.js":"3ec0d310561c8d0978e2cb46fbf4d00957271c8e0532e6bb7cd6249a9f4bcb53","assets/ClocksView-Bf3ZBe7U.js":"a33f0be4c84956e62159c0bf0a002b31062037c942cb5751cdc2da70afe6436c","assets/ControlPick-Bl1mtfOf.js":"9b1b33379779731d5507f386633aeec3397733821e15529bf1a45fffd3dea0c3","assets/Dialog-DMaZ5U-o.js":"f6efaa9ae4c2f9bbe5912d4b3adb32c75c309f6e76d0e8ccc1cce61be8b32464","assets/EnrolSheet-CYsa_G_K.js":"bc7985d5e9675e52d5abbd5fbf5042fabe41f533ade3bd1631333fe0d08212c9","assets/EventSheets-CxymqRFf.js":"dd90e531a5575bdceb47104b6817f155bafd3977ebe52dcc925745412fd6cd79","assets/GamePick-CLAclmPd.js":"8c269dca4e38390815fddeea3234fc9fe271a05f56300eb132a9c8d0e40d8d67","assets/HallMenu-mv1w1Q1l.js":"a1b335f5eeb416d94ffd6ec3253036614f28b0632a85c57b7ccefcd9d4b4e8dc","assets/ImportSheet-BpKgFVG8.js":"3a9541f7c2ecc1b672aed301904df59ba206b0f15ce6412aa84eaf9074aecbb8","assets/ImportSheet-CmKQjDCa.js":"71935581d84ceb30f25a9bb7fddaafc554def1e2d0b80c557db8feaed8ef7122","assets/LinkState-BNkbrBWt.js":"d96c53acf35a77d30b48674fa93e212251a09686996212d10a7bf55701388ba0","assets/LoadFailed-DtlMq3JE.js":"1aeed40f5d319c10cf16281ad033f7d0e74d955614543b3abf254abcade257ed","assets/NewEventSheet-ea0p0jqO.js":"5488657b19841aefbff0e01ffe485bf89316f286c37c3445f902aeb47d746c47","assets/NewEventSheet-ocanIkIS.js":"72e33a4556df7b0751588bedd35e1f3918b0f0ab7fc3641ab52b23b29732bb9c","assets/PrintSheet-DynzTbOt.js":"51e3d77dd412d29ee4acf65802f495a94b381017cdc9f125ee7c07abaf34962e","assets/Qr-DwPoq4xs.js":"ade51182a27e9bba3ac86ad34669a7c275ea2c87d8b285141c676a574ff02005","assets/Refusal-Gzgr91g0.js":"40af1a654cdc9d043574ee225cf3e6baea503917589022500ad1099af0fcfc50","assets/RemoveBoardsSheet-CAS7SWcf.js":"f14737fb0778de823fa42e3bfa582957f7c6d3b7ebc67c105a266e9a9755fc4d","assets/ReplayView-BYpmL6Ee.js":"65a39d4187eec3a30e7c14603c1ec48776a57ea15d4c2b3442782417771f422e","assets/RoundSheets-BLJpXl0S.js":"602deddea8470ea3054e12e59530ef0d25891025d136df0c77edf97584d80015","assets/RoundView-DfwrkLUz.js":"269c1fb3627c4e583984b911b0ca57a527c67935c6206c48ff48fba892c1d923","assets/SectorsSheet-CkoHQWRE.js":"f2a2c01ce4c55071d019d4301460cab408c943a2616a96ddaf8e07f3f6761252","assets/SetupGuide-D_fF6Z0z.js":"1ef43b81e71de2d4fc95a4477f08c46de2162dc5e1cacb7ec340328fde57c82f","assets/SetupLine-BUndVlmR.js":"d73b451f21eba10f81edc6a94ba094ce5ee8d35d731595dca93232920c46add7","assets/SetupSheets-DMWDommv.js":"2766014d9e2d8a7e47eafef5740a9d9b09c07f0c174070549bc9b4ee678ca281","assets/Sign-bkyp3xMa.js":"585b42be75abb08f049bbf705fbf66d91b936ff63f4ab6d79967db9d79b072fe","assets/SoundView-DOFCYB8x.js":"1a1d74f5edc3d23be46e1173ac53d2f633fd3138579b6ddc99a3a34050f3832f","assets/StandingsTable-CH19WN1N.js":"0bb7a8db362fd9aecdf5dd7cb91b5654db485b49ac46101a8063eaa10a9041ac","assets/StandingsView-COLaQuq3.js":"0f132ffd0546e842274f6c112ef6c07b020c41808e8e2486394944c584f3d6cf","assets/StartView-B1q4AiAz.js":"ee50be05ec605195bc094d6c3b0df5d5eda5af6dee6e8e41b8bab5961ab625c5","assets/acting.svelte-J-Y3qiRR.js":"6e4b3788c11d4219f839cf6895deb0ed9d97ea41e7a811ae20b1f58d7559beff","assets/app.svelte-BSbagqgb.js":"dd29a1498cf8d67f7c6ddf13ccb0cfe2471cb7a72a87e790532563fe2fcd86c4","assets/catalogue-D4uJLwAv.js":"3c0559673d2a2e1964746c7a177d10a9c771bbd9cc16bc8210384e6745314dd9","assets/chart-Bt1obnF4.js":"6d4491c03f4079ac242cf02a34244c786e5509b7f057a6d73592a275145a6e3c","assets/clock-test-Bua4bokn.js":"14bccc9b7e877a70c4d395e6db5ba3660623b534b7b1c6fac60d1b27700f3dfa","assets/control-Bdsib8gc.js":"bdfe62c888e7582b165a8160611bcc3c7077d440e4f22176e544dcaa330e67f8","assets/de-C7D2Qcqk.js":"6c8e22c8c27af3d93fc38aa270d1b799d0d031b55e21593e36e87966da419f5c","assets/decode-Cb39y0Pn.js":"3482590646d178854743c23b14afb1410a00a9d83aeebc40a0f0cfaa38ced9a7","assets/disclose-version-BI9mTryv.js":"b02d38e3e31e3f1208c4f7407c2f714fb75f9c205c85f665d94d37d7c5d86705","assets/download-vWOnvHa4.js":"981768cfdc09e467df99d1d0077bac86679420b593c91e2b81fe36e906f44b18","assets/each-board-Ln1CcHlt.js":"8bca18cfaf7d7e6589b32a0292b00c0db7ef18cec5387b9f78425291d9377bdc","assets/en-C5YSck19.js":"3b400e7d4c8329efa1642fdca16b5beb4186a15ada7cfbfbc63f8ea17a14ca34","assets/es-Bwilk0ou.js":"e50434aa0cdded0dad22bbbff3716aa41fb90bed5269dc83b12f7acea02ab388","assets/find-BhL1oZQm.js":"890ec39e0816b308fa336f1ad0701f566baa7f7a5918cb378805a2c47a33a189","assets/fr-anBruzTf.js":"d114f80b6bed8f3856a128cc8ac2ec57e3139d8403add7b4fea51885c24b3bd7","assets/guide.svelte-CPBLoMc0.js":"fce43a1d1806bc662399871c1c0c6788e451a7dac380d2c2822a44958dd3d1d5","assets/hold.svelte-8-g113to.js":"33170ad1a6b276b8db33984f2e9db7d1c03b06b9923e4ea3549877fb40963336","assets/index-CQ-_nlra.js":"f5af0bdae8010ec169c7650741ebde6450f6dae7fd5f1b9ee02b5299854fb724","assets/index-DS_Px6mG.css":"81a047df62134810eeebff3ba1281d34f860fa029c9d6a7c9d96f98869b69966","assets/language.svelte-D98m8SJy.js":"51959925d40611a8eec68d458138abd684b6dc802cea0ab03f3430581d87715a","assets/notes-B5_AaNhy.js":"5ab9d3fd1b093bc9d1012186cdd553c52acd92a437802f8786bd0394511402bb","assets/pairing-lr5UouVL.js":"c67fc21aaeba436b3778bd50d9f1c7c9620bbe42d05c3c12f04738292f928042","assets/plain-BdVVEK8b.js":"e65c6905119b1d0742d070ba5cf909c8ffd2ff77cd56538d21f4a26b89f9ee8e","assets/plan-BR_8Vh6m.js":"47dcf59825f931b9cf879ec85c38e500c75e3936bd37a51f440035bc8c0ef3ac","assets/plot-BvcEVOZ1.js":"208f9081ed70cf4d53f8c27596825c718fdce69973ef293127a3c0f04f77ef67","assets/plot-CnsZ1jie.css":"0fd9465202f6dfceac29e67c17e5ac9fb1b7ba7615c1bb08782391b791d9f1e0","assets/preload-helper-BQUUbbNx.js":"fdc866086eb8bad8ef0387d4b59cdb01dd1e306f42453ee5e6b8b456102f1818","assets/qr-D15vRg4X.js":"dc5d1a8c7c42148c9ccc3bec037a2ada79d0d693645e20ba58b697f8e8dab47c","assets/record-CifTJX4j.js":"098522433b5d9692c838a5db2315c07cea8f54bf6b789d582dc25429c8ea56c1","assets/remarks-C2JpMKSh.js":"3f81d465ba24019b34b6a59b5b359772f62c62d3224eaf1b3011d00d43c874f7","assets/results-VgGsk5Nu.js":"88b4f11bdf423c6715732684c640393b9e98ddf5035b11141246542b1e6e78cb","assets/route.svelte-CAvJY48V.js":"f8d60a55f378d87a50cf14008e2e87bfb826104d135060867a70a4a556f13b1a","assets/setup-FGklNWI2.js":"a019a8a29c32efd8c27add8872ab95592c0201e4a2d6daf929c4c0563d1288d1","assets/thinking-CSvMUra-.js":"a01c099115d12447dcd00bf1ff63b5c0c9f557cadfdb42f8687a233eb53c48ce","assets/words-D6qJ3r2l.js":"e2a4126f8215736da95606565ef97de63e3be9d6c74824125a1b033cc9b9a4c4","icon-192.png":"838415dafedc437e618d32d08525468cc0fdc832bf8b311d376d4dfb3de5525a","icon-512.png":"7faf3903cef657028b908bc60849cf7e39d2c04e7a4f601207db8f05bc4858df","icon-maskable-192.png":"5418f3217631d12a0fffc9a77189cd8f323e9eae2a9463300574d843cf0f79e0","icon-maskable-512.png":"e377d815f184ce54e5ded9b314561b9fca03d3fd0085dfe9ba594263ec03e055","index.html":"f757228d38aa5bff04aa53cc386f373a262155854b862f148ea273e04d66b159","mark.svg":"480ac5e0eac82fac8fd0e85ffc66a2077c90f4d35a7656d2b2ff96138f858017"};

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
