// The page's service worker: it caches the app's own files, so that the page opens without the hub, and shows notifications where the page
// may not (src/lib/state/notices.ts). It must answer for the files in FILES only: the hub's data never pass through it.
//
// Each build has its own cache, which is complete or does not exist. An open page of an earlier build finds its later parts in that
// build's cache, because their names contain a digest.

/** The build, and the SHA-256 of each of its files by name; filled in by dev/worker.mjs. */
const BUILD = "6c04283b0a9bee11";
const FILES = {"app.webmanifest":"e80ce7a10f85db1bf865dd4c8b0034ba18b3974692a6eaed82d1f652ffb1e27b","apple-touch-icon.png":"8c1aebb921919b295d39564bddf446790e34f3fbd66f8681d4401878c489d39c","assets/Act-CMRCzyVA.js":"46cfcc1b1f7c460c57aca3ebf3736f3285ec12493ffdf66f3cb7097c3cd38286","assets/AddBoardsSheet-RPVHz2Cu.js":"8b40836bec7950f5ce1a0ecab5eeb5d0020cdfda348693035f5b31a5487e4b0a","assets/AppBar-CwwQ6u0y.js":"77badef57e253439f11ff60bbcca29a211e630cc9e8741a05a4c748d240e7d6e","assets/AuditView-RvZ9t-Gw.js":"9c67f9d1cffebd37cfda973b30264d332210374e82d198d55b8eff2d95b83d16","assets/ClocksView-mke6J0HS.js":"d12093b51d3ad8417221a0a871ddef36fbcce8cf49f08a2af8cd82368247c3f5","assets/ControlPick-DXyYSamx.js":"16f34340a00d8e24fee701617e939c800d99f64d433f481de2ae2d857134d8ae","assets/Dialog-DdFXxS-V.js":"c14973e7a55ecef1fe15a00a74d73f02e7d7e29222feca2519b18490c18b712e","assets/EnrolSheet-DU1z0Bd4.js":"3cd21846a198c3a0fbc606bed8963d67150daa5f06309967049a804e4a8ef9c9","assets/EventSheets-DyjKIR1n.js":"851ca7bcfe687cd3e310fbe77e98e2473cdca60d15fed2526b8d9e53b087c9b4","assets/GamePick-BbYWdnV7.js":"7d4ad6a134f99e46b6a4adccfdba1ed10487a0c198cb8b1cd9b45ee271ecfd91","assets/HallMenu-BKhMim3D.js":"579fc494921ce898b7daf5d4a3041fec5543af4b3955f093e475b850f1f59920","assets/ImportSheet-Co3MFwI7.js":"38d52f4b92c73644a2eca32851de3f3225f92d66df685e5f3b9f28043adf2e5e","assets/ImportSheet-dtmjv0d2.js":"55d185c7092f672e06f1f52ef1735f6b9e114686cd858107036a56793f774976","assets/LinkState-BzboUEyQ.js":"011cf828e3622ba751c09207d1237e7c9ac9c47d71601b67f368d44cb9643e63","assets/LoadFailed-DhNKUvsr.js":"70c868aa055e67da538e41c731117b2dc60cf48721cc24c54bdf714c444ada12","assets/NewEventSheet-DldgUIly.js":"c0497c088b233fa51d3643ed7b76d69ad13d881a146941b7df060f4f253cf3a2","assets/NewEventSheet-ZHxaiGEY.js":"8f443cd7561a028d237ff1316c13d195f6e4ee12e16334cf586bf7829f1b263d","assets/PrintSheet-B87hc4Lr.js":"9964faa58b36d40dc47ace88bf3fb6160404d079ff787338d242712b3a9de000","assets/Qr-DwPoq4xs.js":"ade51182a27e9bba3ac86ad34669a7c275ea2c87d8b285141c676a574ff02005","assets/Refusal-Gzgr91g0.js":"40af1a654cdc9d043574ee225cf3e6baea503917589022500ad1099af0fcfc50","assets/RemoveBoardsSheet-BmSEHnpz.js":"62d9d32bddd2f856f5fdd71aa7da12a2f6ff59202a7fbaf14273b9fcb28a5626","assets/ReplayView-BZSwRckX.js":"58ff29d37e10496fe96bfc7731775bc36e1e1e69357e3e60d6e239d7d5d13af3","assets/RoundSheets-UDPf7_WL.js":"6e2afa31a2f6fbc230905066517d70f9b0abcd4a50c2c4468a793ed82d1d69de","assets/RoundView-CAqJtPSc.js":"b3a63ed1a175bb7caa2b19f25e949e8bf449069cb85a9ad65d85a77b3357186c","assets/SectorsSheet-BeeKZeST.js":"9ff1dc2a56c1aa911a955f6711b766a071a61fb16e12ed0c15451b28890a8fce","assets/SetupGuide-CIWkc5Oe.js":"8911c83e0fcf54b2c69e38c57a9fa7de69ad2a591cc2cfe7311e78d6d28cba81","assets/SetupLine-gfYUFBEQ.js":"ecb127f549aacc05679edd18ac5bccf9d5ca4d12e3f7c9ce8a70dc828145c67c","assets/SetupSheets-ctZQYcDW.js":"35d039e34404dea1368317ab237194c00cc42e7c123a1a86e75008873ea16dae","assets/Sign-bkyp3xMa.js":"585b42be75abb08f049bbf705fbf66d91b936ff63f4ab6d79967db9d79b072fe","assets/SoundView-BFA0cEFj.js":"0db07deb47b3b98261de36840bc4bd617d14d9059af79bf4b7c8370b758fe82e","assets/StandingsTable-C06Mf-BG.js":"23d3dad2d76e17e4c14c982757cc9d7e23afd83fd434af8dd11df7a3d94f018a","assets/StandingsView-CsuG_Xg3.js":"335e20cea86be7565c66ba0fcafd0221b34880be2618063c0e30963cd39d2ee9","assets/StartView-C_uMi32C.js":"7ad1cafe75fd025eba61e120547fd9c11bffb98da504300b74ad9b69df7b21ac","assets/acting.svelte-BhFYu79Y.js":"6d9bd47c65a95c094bb4de5d7c9baedd541731bf1e9a3478f69e1490dfb61d63","assets/app.svelte-Bz4y5zoc.js":"7fcaf00c2ca4b6e039f4861955da62b3cc1554a71ddfd337f0debe60163ebe64","assets/catalogue-ESpZ6erA.js":"ee6ead9d2fed1e7cd9a4279007a90fe898c78d8789f5d85abb49470318810b83","assets/chart-Bt1obnF4.js":"6d4491c03f4079ac242cf02a34244c786e5509b7f057a6d73592a275145a6e3c","assets/clock-test-BlLXEIwx.js":"c1e456d2b146aafab496eb414cdf6890271a2a32e792637449ec823c46f337bd","assets/control-BGhjPu37.js":"914c0d30e9f1cb4bb9f6915a3a31432c77caeff1423d4ca666bad3196eddd6bd","assets/de-_tghxqGY.js":"bd091f230bcb486ef7c8404d88280a3301229cef6d5826531accb041746f601d","assets/decode-Cb39y0Pn.js":"3482590646d178854743c23b14afb1410a00a9d83aeebc40a0f0cfaa38ced9a7","assets/disclose-version-BI9mTryv.js":"b02d38e3e31e3f1208c4f7407c2f714fb75f9c205c85f665d94d37d7c5d86705","assets/download-vWOnvHa4.js":"981768cfdc09e467df99d1d0077bac86679420b593c91e2b81fe36e906f44b18","assets/each-board-75hcaItQ.js":"0059b048bf05a5b322fa3889ca9562abc85ac38e3026675c6b2487ba48e4bb41","assets/en-D_VmkyzS.js":"e8a9dfe39cd877eb40942f283f4d4e0d53dfa8123e58e445919d97e6f739ed51","assets/es-CvZij3Iv.js":"54ea2e3bc95e1698630e6966046aab8d16d600fc499fe3047d154aa25e411faa","assets/find-BMbzGy6U.js":"288c911997937e71eab84f14c4bc6a0e0a4417c148a65e5383717eaec4c68dd8","assets/fr-ADbxiy0E.js":"5bcfdc86d37e89d6d4bcf4b297e5b6da87d68e9c51a10d7ce47858d5d41a5532","assets/guide.svelte-CPBLoMc0.js":"fce43a1d1806bc662399871c1c0c6788e451a7dac380d2c2822a44958dd3d1d5","assets/hold.svelte-Cb8Vc5zh.js":"1beba0a65d50523faca957225133ce0d9bfab797e17f21b531bd91df139958e9","assets/index-C1Jpmy8I.js":"9617187cbda38f015d14b56c014110b8216302d2faf723fd31c8fed4ce9c20d7","assets/index-DS_Px6mG.css":"81a047df62134810eeebff3ba1281d34f860fa029c9d6a7c9d96f98869b69966","assets/language.svelte-GvvcqrL1.js":"a9b25144623bffed36333981ffbc0d8a51ff90fc972b40add8cfa5277bf7a831","assets/notes-HSlUkajV.js":"d9748ceb2854fed5567068ec8cb46f465b9c9a3fac4ada70b37c7c7d6bbf6637","assets/pairing-BPk70-45.js":"2551f9b3a7959d4da64c50058282ea83a9b2245c404f6eb4f63774e697f1cea6","assets/plain-BdVVEK8b.js":"e65c6905119b1d0742d070ba5cf909c8ffd2ff77cd56538d21f4a26b89f9ee8e","assets/plan-BR_8Vh6m.js":"47dcf59825f931b9cf879ec85c38e500c75e3936bd37a51f440035bc8c0ef3ac","assets/plot-BvcEVOZ1.js":"208f9081ed70cf4d53f8c27596825c718fdce69973ef293127a3c0f04f77ef67","assets/plot-CnsZ1jie.css":"0fd9465202f6dfceac29e67c17e5ac9fb1b7ba7615c1bb08782391b791d9f1e0","assets/preload-helper-BQUUbbNx.js":"fdc866086eb8bad8ef0387d4b59cdb01dd1e306f42453ee5e6b8b456102f1818","assets/qr-D15vRg4X.js":"dc5d1a8c7c42148c9ccc3bec037a2ada79d0d693645e20ba58b697f8e8dab47c","assets/record-BnlyJ-Dw.js":"9fb62e1491740af976f4b05776d1e940f6fd4cecdd1c081190d2f7a994bbdbd4","assets/remarks-sWwEBWfz.js":"cb41d3249f8944642465eaabc65bb1ee160d40e14a5a86b7d46e0ff8a9668860","assets/results-NG9pVB1X.js":"5703fe4aee8b921f4f90406a1248f1029781b06b943636076460729d8be79a4c","assets/route.svelte-D8dPC60R.js":"c8f64fc9b35bd621d1a5279a91cfd60115a7949386e666d976a71be627092c94","assets/setup-DQhAxaDu.js":"e1ec6596ee4b0e7112c5161bb8f56b3e0f0fbd4c9bffe49f5d7fffae88be50d7","assets/thinking-CSvMUra-.js":"a01c099115d12447dcd00bf1ff63b5c0c9f557cadfdb42f8687a233eb53c48ce","assets/words-DChTpHiZ.js":"e7aa5067f93144e867f9f81d144a38bbafe53b706df78c9ad93389923944a451","icon-192.png":"838415dafedc437e618d32d08525468cc0fdc832bf8b311d376d4dfb3de5525a","icon-512.png":"7faf3903cef657028b908bc60849cf7e39d2c04e7a4f601207db8f05bc4858df","icon-maskable-192.png":"5418f3217631d12a0fffc9a77189cd8f323e9eae2a9463300574d843cf0f79e0","icon-maskable-512.png":"e377d815f184ce54e5ded9b314561b9fca03d3fd0085dfe9ba594263ec03e055","index.html":"cec5d25b878d514fcf9cad0e728e4b33bf92940d98155489d584cbca757ef6e4","mark.svg":"480ac5e0eac82fac8fd0e85ffc66a2077c90f4d35a7656d2b2ff96138f858017"};

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
