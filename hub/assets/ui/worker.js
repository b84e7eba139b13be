// The page's service worker: it caches the app's own files, so that the page opens without the hub, and shows notifications where the page
// may not (src/lib/state/notices.ts). It must answer for the files in FILES only: the hub's data never pass through it.
//
// Each build has its own cache, which is complete or does not exist. An open page of an earlier build finds its later parts in that
// build's cache, because their names contain a digest.

/** The build, and the SHA-256 of each of its files by name; filled in by dev/worker.mjs. */
const BUILD = "43079dd29ca7ac5d";
const FILES = {"app.webmanifest":"e80ce7a10f85db1bf865dd4c8b0034ba18b3974692a6eaed82d1f652ffb1e27b","apple-touch-icon.png":"8c1aebb921919b295d39564bddf446790e34f3fbd66f8681d4401878c489d39c","assets/Act-CMRCzyVA.js":"46cfcc1b1f7c460c57aca3ebf3736f3285ec12493ffdf66f3cb7097c3cd38286","assets/AddBoardsSheet-CH1Zd7Zp.js":"057bb0a317ba03bd6c841066c8e8255d823fa58f6255df882b7456992210f0e4","assets/AppBar-P9_JkAbF.js":"4c3fc6ac99126b83193170469c0b3970c2949f8095eceaed8fb17e3def205dfa","assets/AuditView-B4F2M-0g.js":"eeec39f6539857b1551482a9b829b9ab678bb1ed33ea399ce6d95f221b34e967","assets/ClocksView-C3v18LQb.js":"6b4045ef7670287f4096ed2dc54b7d81c114f5bc484f09eb209711fce98f7df8","assets/ControlPick-CQN3YF8k.js":"e0d24463d7f55d7b0c031f5b7ae666189fe7a104dc299103388cf21a0851ebe5","assets/Dialog-Dtak1YoE.js":"faf35c3a367e1f745adc1438c4679d7e7191bc1f78028d7a8bf2f2e0b0a616ee","assets/EnrolSheet-CYZdtDkj.js":"fe54d347edd9d94b00eafaa73f0129b46f01bdbae491c992105f7337780e8566","assets/EventSheets-BeiRCYZe.js":"5d95260c11018d0ea8255cd42992ff19da76aadf9348540eb78f8a41d158ce13","assets/GamePick-DdbxgB6s.js":"cac48b0debc57d7973962130e0a32c9c6a3f29c95d3ad4172ec3eacdd3c06d07","assets/HallMenu-CRxTeU1y.js":"388b9dc646dbe1377a2e36ba1af0cd8ca2f1bdc8697fe913cdd3f46bf08d5066","assets/ImportSheet-BYpms3Vr.js":"a5dc9c0b12e1d6ee575fb05bc2183f29386e6cd1ecb74002930db3963f4547df","assets/ImportSheet-BbhUNaiU.js":"f0e2ec27b7b4e2312edd508c77dd8d16142c2bc4a53dd5c6fb169ea04718c299","assets/LinkState-CedqF640.js":"7a5c59638491da025a0c27110de7b528dcd02fef3ebe84dc09b7e0c3d3f31b7b","assets/LoadFailed-2TQsBh65.js":"245b38b7e3a965d8eb8976059189668a84b6aaaab5ce0312a6f19225c49b3aee","assets/NewEventSheet-BXhIKNAK.js":"ed76ae6101c2b3e8ecc12287767fdd1bb0d17624215b68fae9ba85f5429fee51","assets/NewEventSheet-DzKekiGA.js":"02ccb462e1757abc3ed212d2793154b2c801192ccc6a8a8e4fd00400527c2260","assets/PrintSheet-B4N7fuMh.js":"e9db9f5755bedef80612b6c265f4175bf8047dab3fdbac5d609b7257ab73ecf1","assets/Qr-DwPoq4xs.js":"ade51182a27e9bba3ac86ad34669a7c275ea2c87d8b285141c676a574ff02005","assets/Refusal-Gzgr91g0.js":"40af1a654cdc9d043574ee225cf3e6baea503917589022500ad1099af0fcfc50","assets/RemoveBoardsSheet-BDGkWvPv.js":"f50a4319d635020fffb9ed2145d07f7e28ba32161acbc7638d53173f7e5b6c4f","assets/ReplayView-AfD356kb.js":"bd01d4c3e117c1fa413a8421acd23b0afff07eda22dc0dd40e181f8484f23b56","assets/RoundSheets-C2tbPbR-.js":"5c8fa013c25d46e1022c143669eafa13b87b300f71720bb80e7f24010f28f74d","assets/RoundView-CInvYPJH.js":"826c81afd169355ad1b95ee9a0421647550931f394f7f32cfa6331189ef2f9eb","assets/SectorsSheet-CAjzin4F.js":"88839351c0baf1ab73c1cb8c6143cb513898c8a78baf209edc6488b0f9edf4c7","assets/SetupGuide-CpacM0Iv.js":"6d12400f14cb3274702b7321a9225202e18496c88f5008e03d351219e5ffb80a","assets/SetupLine-BZ1_f4ZL.js":"3e7806432add7fceb603d9f2f752fe136f73462ac411b36b5cb6790078bb027e","assets/SetupSheets-C3mQQXZv.js":"2eda68436b318d2b70283e3f695c8792b1fbc0a72affa28980e76e589394f15c","assets/Sign-bkyp3xMa.js":"585b42be75abb08f049bbf705fbf66d91b936ff63f4ab6d79967db9d79b072fe","assets/SoundView-BcM8bSox.js":"8825d30bc308722eb63bb634f971cd09ab106348548b020df2f1fd70ed857e35","assets/StandingsTable-C17yMpbm.js":"abc473e1961025a3c2c682635acbaf74fe61a588dcbf380d591846cd6be4b821","assets/StandingsView-DHYxglAs.js":"93bf4aa06b62de39d9511f769e4c40bf7a84c58a2fb9a95b89d9c53181367c4d","assets/StartView-Clq5oclB.js":"22582a56ab3c6e303bdc31c955fdf0931217ab56efb8feb2eb74469d667bb9d1","assets/acting.svelte-DGayw38m.js":"38c4f325e45a2c5811b91f1dc032c9ff64ab057f973420f1b9432505acc3f946","assets/app.svelte-ClZGIXD9.js":"41db467e525920ebaee5d6815c828d87c706423b343a6f736397bb66249f7cf2","assets/catalogue-Jk9aFyb4.js":"4b55736da36a663e21a3ea4df8a2d46fcd948891d7d1dd0309255236c63c0325","assets/chart-Bt1obnF4.js":"6d4491c03f4079ac242cf02a34244c786e5509b7f057a6d73592a275145a6e3c","assets/clock-test-DEZAvobG.js":"6cd8bec017ef3c09210b9b708314780e5a7f54213fd74c2fbc638aaa42fa8a0f","assets/control-C89-aBTX.js":"d9ad7ac54c30a0424a4ff30df5a42763bddf51b8dcba5b0c66114fb28799cdd6","assets/de-CxWuX1AG.js":"e97cb5de566076346e52d5813074095d6b40d1c8f7ed4c7b95a85c78f7a4d68f","assets/decode-Cb39y0Pn.js":"3482590646d178854743c23b14afb1410a00a9d83aeebc40a0f0cfaa38ced9a7","assets/disclose-version-BI9mTryv.js":"b02d38e3e31e3f1208c4f7407c2f714fb75f9c205c85f665d94d37d7c5d86705","assets/download-vWOnvHa4.js":"981768cfdc09e467df99d1d0077bac86679420b593c91e2b81fe36e906f44b18","assets/each-board-C9B5P90w.js":"f19c9487e51fbafc94c73f74fa56ba6962647a6ffaf4e8f0f849381d07d080bb","assets/en-CMOMkBDn.js":"d0ca6d788dc236d616072ee165e39bf61b91ffc8b206c46de44b8ee714551d2b","assets/es-COxYtaTv.js":"ea23630085b885b3a7204f67ce6776dac3e3aa986c277049b233cdd9e40ce4e2","assets/find-SaWUrukb.js":"29df799189b611b31798c5642732217affa03b575d4ebaca4ab4bde221100f39","assets/fr-Cy9oeQPb.js":"d1dcc09312c3b59a9c734d4410d96824443ea23fcb0b233e74d8cebf7e4aafce","assets/guide.svelte-CPBLoMc0.js":"fce43a1d1806bc662399871c1c0c6788e451a7dac380d2c2822a44958dd3d1d5","assets/hold.svelte-fh4hlHcN.js":"f24be646744ccc450c5c1fa81d5a5a5b32230ada73ec27c614afccd3d609eec2","assets/index-B9E2weyX.css":"9bf5c9902355e22a7b2e7fa6f2b06ecd0aa4bc2b4597838d6d1716479c93fa78","assets/index-D12qcGz3.js":"ac0ba8ca198764cb7394c0b1c3c2ec21728383b0aa193279de22e9b989fe1d4d","assets/language.svelte-DLJGooUO.js":"a791026969032745997590d6fef65e7a646358b381160456d6584e2d47e6090a","assets/notes-DWiC4hQO.js":"c0b0cb468c1619143f39319d78a3976836ae34eaf7ca2ae469f2684552afcb5a","assets/pairing-CSqg42mX.js":"eef704c6c17aa6f51be0316041d1e1892038e2adab625e41700ab0d6b666cef4","assets/plain-BdVVEK8b.js":"e65c6905119b1d0742d070ba5cf909c8ffd2ff77cd56538d21f4a26b89f9ee8e","assets/plan-BR_8Vh6m.js":"47dcf59825f931b9cf879ec85c38e500c75e3936bd37a51f440035bc8c0ef3ac","assets/plot-BvcEVOZ1.js":"208f9081ed70cf4d53f8c27596825c718fdce69973ef293127a3c0f04f77ef67","assets/plot-CnsZ1jie.css":"0fd9465202f6dfceac29e67c17e5ac9fb1b7ba7615c1bb08782391b791d9f1e0","assets/preload-helper-BQUUbbNx.js":"fdc866086eb8bad8ef0387d4b59cdb01dd1e306f42453ee5e6b8b456102f1818","assets/qr-D15vRg4X.js":"dc5d1a8c7c42148c9ccc3bec037a2ada79d0d693645e20ba58b697f8e8dab47c","assets/record-CphwabMs.js":"73f111fc25a4d4a0fc236ee798bc78443f8843c6c5a323eb886a697776555bf3","assets/remarks-DjMRulMe.js":"0aeec32e7292db1c5190860e92c7644a3eeb89d333c098e83ac6827401b44319","assets/results-DG8t0BWE.js":"e3738e3545e75071f7739ca947dd67fada52a9028f4f18c34856ad9e562f7aec","assets/route.svelte-C6W_BEpH.js":"11f55fb89c9b21f023f92cb505bfe4b45f3b5a945fde4767b976ad949eaa33c5","assets/setup-CdRYi_nr.js":"f3eac4b81c26b543689dbb4278e747d53858ce28946a2cecc416849a00830693","assets/thinking-CSvMUra-.js":"a01c099115d12447dcd00bf1ff63b5c0c9f557cadfdb42f8687a233eb53c48ce","assets/words-BWPzwA7l.js":"2d12b1a886840054af5e70a19cc4be267772100a9902e84be813d75a3d2f5eeb","icon-192.png":"838415dafedc437e618d32d08525468cc0fdc832bf8b311d376d4dfb3de5525a","icon-512.png":"7faf3903cef657028b908bc60849cf7e39d2c04e7a4f601207db8f05bc4858df","icon-maskable-192.png":"5418f3217631d12a0fffc9a77189cd8f323e9eae2a9463300574d843cf0f79e0","icon-maskable-512.png":"e377d815f184ce54e5ded9b314561b9fca03d3fd0085dfe9ba594263ec03e055","index.html":"8d59298601892ad24f7faffa7aa1e7d1892f7528685160b3f1401758da3b94e9","mark.svg":"480ac5e0eac82fac8fd0e85ffc66a2077c90f4d35a7656d2b2ff96138f858017"};

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
