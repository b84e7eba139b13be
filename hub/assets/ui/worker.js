// The page's service worker: it caches the app's own files, so that the page opens without the hub, and shows notifications where the page
// may not (src/lib/state/notices.ts). It must answer for the files in FILES only: the hub's data never pass through it.
//
// Each build has its own cache, which is complete or does not exist. An open page of an earlier build finds its later parts in that
// build's cache, because their names contain a digest.

/** The build, and the SHA-256 of each of its files by name; filled in by dev/worker.mjs. */
const BUILD = "c0425ca7b7b6cdc9";
const FILES = {"app.webmanifest":"e80ce7a10f85db1bf865dd4c8b0034ba18b3974692a6eaed82d1f652ffb1e27b","apple-touch-icon.png":"8c1aebb921919b295d39564bddf446790e34f3fbd66f8681d4401878c489d39c","assets/Act-CMRCzyVA.js":"46cfcc1b1f7c460c57aca3ebf3736f3285ec12493ffdf66f3cb7097c3cd38286","assets/AddBoardsSheet-TdJC82mE.js":"1bc9f2765681b9ea61311e57e31f2ae10cdeb3d52937d11fa9ac413654aa4d4a","assets/AppBar-D89_ypaL.js":"265b2497aa314ea862b5acd774c396d7578a5a80d3bf3286fac088b35bc2cc36","assets/AuditView-CYV3d3rA.js":"442b0ba118f74bc4fb0dcca1d2efbfb4d705e807ce164e09cd4afc1fa3d79081","assets/ClocksView-Bz7WttOF.js":"81e2aebb614eee9278e7e9b458b40a8de20ddadad776b9bb7f2cb90f3feee26c","assets/ControlPick-BkyCgvI9.js":"335a0eb709d87a1c3bdb224c2666bf04773a406d82dfdaf318c028ebd584e639","assets/Dialog-Dogqlpvd.js":"d2174c1c920d3ca5fc260a216e4ff884209f3a17be97cc21f5ffbd281b159548","assets/EnrolSheet-DH7JoXxE.js":"4353bfb0b76879dd3adad0db288d2967efc3ac05f8c445390216aefbb1263df7","assets/EventSheets-DNw2IrNH.js":"fd433ccb3e52cfc84a09d1ce8a4ac2f27bf5116fa8283ae6076ab43bb744ee67","assets/GamePick-BR4qvZLf.js":"f9ed7d827f38632a3c126cd0fc613c197bb36e98bb472e1ac2968f75e926c47e","assets/HallMenu-FcxaZvH8.js":"1b9ef15323ac89846c8a6a10f222556950f6530cc1ad962e9e239cb33e095f4e","assets/ImportSheet-HjPo-OBJ.js":"969a065d38f0ac54359258affd52f65375e1982b62eeca8e1150ba939737621c","assets/ImportSheet-hoZUbLp6.js":"b1d5bf233110bf5a7df64151f87b949f9772ea83d4888ab72e2bfeda3b8cdea9","assets/LinkState-DDz6x5mS.js":"a7453504b05e55c0058a5b452710adccf0cad225c71c84222e380e8ec8fc5819","assets/LoadFailed-DMES3O3i.js":"5213b52a7e408e10d01d663ae84949b07ec54b5ffdbddf5ec896ffd59cffec32","assets/NewEventSheet-BmyO-bBE.js":"8b2d9e29016c6fdf39237c9f4e89afef1a20180b0cd63240345fb3cee2a891b9","assets/NewEventSheet-DUgvCOsQ.js":"0f2e801558ea34b98979503d97a7fa4009ff5490011f85c99aae47651a12996f","assets/PrintSheet-B1N8qcnp.js":"4a573a8b57c0e52e060967a01d003223b8add789fa0ca0e747b35f0237b26f3d","assets/Qr-DwPoq4xs.js":"ade51182a27e9bba3ac86ad34669a7c275ea2c87d8b285141c676a574ff02005","assets/Refusal-Gzgr91g0.js":"40af1a654cdc9d043574ee225cf3e6baea503917589022500ad1099af0fcfc50","assets/RemoveBoardsSheet-CYJgsNps.js":"0deb386b6bd570d18c06d768d17e6977f661e431a803ca2f60a6d318e571f367","assets/ReplayView-BSGDxxsX.js":"5c39e332d622796881d0084c5a0d4079318bb4a717e866e7efdf3fe50dfb3d4e","assets/RoundSheets-CNVmU02g.js":"276588be1d1a94fbec923bc1222886a94040b8b95ec66d826574faa5d8025911","assets/RoundView-BnjMKdrN.js":"4fe3df0a95eff9ea3e562e053804445b314cf2b782b6421ab77f546f1faaae04","assets/SectorsSheet-qoa5MMgB.js":"b4315fbc812dc1596830285757188cde05d583c78f542b71ec4d741b297e0679","assets/SetupGuide-DvM-Sljq.js":"7e26262420fddb6b87ab700c7eb4f191db518b04a9e91a435353dfddd8139ae7","assets/SetupLine-msPm6rG6.js":"fe2aaa0b2bb092f159974ec90227451e6e9813e0322e0cbaab5cd73a0b109d7b","assets/SetupSheets-C6XpB1eW.js":"b34b46e8a7e67f2a86e735c88bde924ddf9dc3591ec3f6c4b32f79bb799155dd","assets/Sign-bkyp3xMa.js":"585b42be75abb08f049bbf705fbf66d91b936ff63f4ab6d79967db9d79b072fe","assets/SoundView-t05k7ZD3.js":"64504cac4a4279487b26560acd57adff5eb555992714e9977803c9b39d22d998","assets/StandingsTable-uGI5fUss.js":"d25f903eb2d296c17ec3a767eeeed0433052c609a9e6a896f2fc7f057368198e","assets/StandingsView-GXoRorSY.js":"9f55fd803df600f221feb1ba6551f4b6ea8d39f6fdab5ed24079c810f45fa43d","assets/StartView-CcaN8ecn.js":"f22b0fbc2b80cdfcf83afcaeb94f27f22c579449aee8ad3855b4c88bba944673","assets/acting.svelte-mq-4HifX.js":"ebdc338037c48415bf36918572580af38fb86d3531dc2a4eb525325372013a7f","assets/app.svelte-CDNbM_5E.js":"f9a2857488749905198e15d6057b10d2a681a45a6ce75129f71b5f2014647525","assets/catalogue-Braput8T.js":"da71420ee8149b7bdbbacb8007428689a2c19b96674a3db975cfdb54b98bf837","assets/chart-Bt1obnF4.js":"6d4491c03f4079ac242cf02a34244c786e5509b7f057a6d73592a275145a6e3c","assets/clock-test-B60VaJLd.js":"dd7b651c0fc9051ca6ff163da4634686f1831e49f54719be00b0ae29e16768b4","assets/control-PJR2FWXy.js":"545c96069eb5eee3e750f0c0cba722d6f2c0dbf8aecf283bd8d9a645356aeea4","assets/de-EGBByVQC.js":"02dc71b2bc61bd6d6e0320e24564d376e6afc2c92ea321a7d67e7d428b2cade0","assets/decode-Cb39y0Pn.js":"3482590646d178854743c23b14afb1410a00a9d83aeebc40a0f0cfaa38ced9a7","assets/disclose-version-BI9mTryv.js":"b02d38e3e31e3f1208c4f7407c2f714fb75f9c205c85f665d94d37d7c5d86705","assets/download-vWOnvHa4.js":"981768cfdc09e467df99d1d0077bac86679420b593c91e2b81fe36e906f44b18","assets/each-board-BMLawXy6.js":"7012d9c17ad7a0ceeb344de0d9599b86f6ce023b04825b35d0f71f82b0dde188","assets/en-FW-TBW1r.js":"c38ec7ec100255a139b844b64af48a1cdf7da1a500ebb68d8eaf2f6ca3eec2fc","assets/es-BREPaaBo.js":"7c61a27266ee815e9f1553abeb1dc1a184ae75093294a18ee478e963445be4a2","assets/find-CLULxvZa.js":"86966318173e9aa3261d72779de493355983979ebcf8c297d8a0be6692541f81","assets/fr-Dds5Cxxt.js":"1b2aa6efa3746e54ac62880a0e3a57e5161fed56cd2fc4984c4f2a330e7d9614","assets/guide.svelte-CPBLoMc0.js":"fce43a1d1806bc662399871c1c0c6788e451a7dac380d2c2822a44958dd3d1d5","assets/hold.svelte-CK12i4Z1.js":"da6c5b9e31f81b0f1b45a7ab9528f85f44020840d2aad7a197a816b016da0aee","assets/index-DTFdnZbr.js":"146e48321d38c50f68a47b2839600dedd4b21d25d080411af8b98344b22639ea","assets/index-DbX-4qpR.css":"ef769ef03652eabcd3ee191207da718d07c1946c42d43adad98d8c9d5b0b641b","assets/language.svelte-CnjKuh-2.js":"49a2051549912718aaa2eece22c7fc5d442d861f7703a5bc60915d9d1080aa02","assets/notes-BN1nOozn.js":"b2cb1ac9dfcdec13b72fab92b34d45b7797c8214e6b6e7661f1537264bc4fc12","assets/pairing-CvxZ0s-2.js":"ea064dc7ff29814d30988b83fbdd4a4a09121def322f53535ab6450410d67bd8","assets/plain-BdVVEK8b.js":"e65c6905119b1d0742d070ba5cf909c8ffd2ff77cd56538d21f4a26b89f9ee8e","assets/plan-BR_8Vh6m.js":"47dcf59825f931b9cf879ec85c38e500c75e3936bd37a51f440035bc8c0ef3ac","assets/plot-BvcEVOZ1.js":"208f9081ed70cf4d53f8c27596825c718fdce69973ef293127a3c0f04f77ef67","assets/plot-CnsZ1jie.css":"0fd9465202f6dfceac29e67c17e5ac9fb1b7ba7615c1bb08782391b791d9f1e0","assets/preload-helper-BQUUbbNx.js":"fdc866086eb8bad8ef0387d4b59cdb01dd1e306f42453ee5e6b8b456102f1818","assets/qr-D15vRg4X.js":"dc5d1a8c7c42148c9ccc3bec037a2ada79d0d693645e20ba58b697f8e8dab47c","assets/record-BqqKlAdN.js":"f145e2296db058cac2a218949a94ddeb04b80ccdf6ed28f5baf12a6824aa5c0f","assets/remarks-B0EMZnE9.js":"d1e94eeba5cb633ed375105a970294f96a6c5ffa6a3663b990f050d67a693292","assets/results-C8_z2ZJs.js":"c835635ce9a053b279f9d0514258aafde571d3e692ccf44ddedbc6a4e3a877a2","assets/route.svelte-D4vBX2qv.js":"6e26657ab1afda09186405906c451814311342a736a84fd0bab69fe2798d0194","assets/setup-CWQK_TKn.js":"5911b5c945219c3e871420a166bb2f78f67d60534d43fb3954ab7070ba7e886e","assets/thinking-CSvMUra-.js":"a01c099115d12447dcd00bf1ff63b5c0c9f557cadfdb42f8687a233eb53c48ce","assets/words-D4H0x17R.js":"5d65095cf179fb3eeb41612bce973465be0305c5f7eb4765e45f2fe3b0c46554","icon-192.png":"838415dafedc437e618d32d08525468cc0fdc832bf8b311d376d4dfb3de5525a","icon-512.png":"7faf3903cef657028b908bc60849cf7e39d2c04e7a4f601207db8f05bc4858df","icon-maskable-192.png":"5418f3217631d12a0fffc9a77189cd8f323e9eae2a9463300574d843cf0f79e0","icon-maskable-512.png":"e377d815f184ce54e5ded9b314561b9fca03d3fd0085dfe9ba594263ec03e055","index.html":"d31e1478fe48dc843c64a93bc74272c9fb0c14490e61748afbea678caa7468cd","mark.svg":"480ac5e0eac82fac8fd0e85ffc66a2077c90f4d35a7656d2b2ff96138f858017"};

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
