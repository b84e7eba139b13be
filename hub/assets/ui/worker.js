// The page's service worker: it caches the app's own files, so that the page opens without the hub, and shows notifications where the page
// may not (src/lib/state/notices.ts). It must answer for the files in FILES only: the hub's data never pass through it.
//
// Each build has its own cache, which is complete or does not exist. An open page of an earlier build finds its later parts in that
// build's cache, because their names contain a digest.

/** The build, and the SHA-256 of each of its files by name; filled in by dev/worker.mjs. */
const BUILD = "155176d8861c8f1c";
const FILES = {"app.webmanifest":"e80ce7a10f85db1bf865dd4c8b0034ba18b3974692a6eaed82d1f652ffb1e27b","apple-touch-icon.png":"8c1aebb921919b295d39564bddf446790e34f3fbd66f8681d4401878c489d39c","assets/Act-CMRCzyVA.js":"46cfcc1b1f7c460c57aca3ebf3736f3285ec12493ffdf66f3cb7097c3cd38286","assets/AddBoardsSheet-0wtvd6wb.js":"d0b6aa9f50c54ce390f0e717fa13721d0c1f21a7287606491f6df787187fb98a","assets/AppBar-DjMHmV7Z.js":"842f5dae81c61efac3aecb92c8b17cbb140130b24a0a5276d678e28b56d81600","assets/AuditView-B4u7mN9F.js":"2a3b962f526106dab2ec666884b5406fd7e9c17697c74303fbe244b24dc9ea1e","assets/BroadcastSheet-BBcMtqMC.js":"0bd3b60180209c20b7c1537bf803180bb063dbd771af7c25606f7b2b5d6382d5","assets/ClocksView-Cx9W223m.js":"a28de275df278eb546c43cbc4e1cb5f577d6992527ee5c3cdccdc0a3e40a59c0","assets/ControlPick-PZER6nVn.js":"e8650fc5de52621bf592d0d7f0dc536f60308024e4d0d223ca50b7d92067f2c6","assets/Dialog-_7tX18sg.js":"4a2a84b49c6c6d28417e2f8ffb88f9bca464e14e4f4d0f36657a5d6408d41a7d","assets/EnrolSheet-D9RTYfaW.js":"fb794f7b3e062d702fbf57a816d03f927ca2036353856c68a6f88c32d067de2a","assets/EventSheets-DizXBDaX.js":"61bf20d7524e7cb8623ebff409d7553b03c8957631c6aaadf9361da826a3f2fd","assets/GamePick-DS6ywbsB.js":"256ceab67b22d7475a4de06833abaf46669ae378e0680fd035de61622ee81aa3","assets/HallMenu-DuKNHw7e.js":"04af3b1f0620879a2ab71a2b58c0d359afb6ae1f20e4e5dda8e165895785c754","assets/ImportSheet-BiZag1Kz.js":"509237ae93a6deb9cdc6f2292142df985eb14aadf2eca8e99f3541a6aaf2e0cd","assets/ImportSheet-CKXHyB86.js":"6fe2ffed2af711c47999ba3d1f8790692abc33337431041e3b3645fc0ee67b1b","assets/LinkState-RpxbvfrE.js":"31260fc46a83ab98f59dcc97a551cf4a9d4d5cf926a97dee0dc3df848e818e9d","assets/LoadFailed-DUtPfV1L.js":"954e36264375d86552c1604029540c949dceca6eb6cd7aa415885abe8fd1aa15","assets/NewEventSheet-Dw_j1Pls.js":"54081e549a05d0b2a1b92016293b606ca7dd2e695d769d9cdd657458a9dcbc1d","assets/NewEventSheet-Mwc6AJXU.js":"c16573c707799c495c650f7eab8c70f579412028cf33e0736029fe3923a59f65","assets/PrintSheet-DMeEQmg9.js":"7053e13eb01319a0de2a603a9cc7fc5aeed7031ec8bdefc12c7e7dc9690b427d","assets/Qr-DwPoq4xs.js":"ade51182a27e9bba3ac86ad34669a7c275ea2c87d8b285141c676a574ff02005","assets/Refusal-Gzgr91g0.js":"40af1a654cdc9d043574ee225cf3e6baea503917589022500ad1099af0fcfc50","assets/RemoveBoardsSheet-2zZZfxwX.js":"dd242491cd9fd928f28541afeb1ed506df1a86edf9e4e24d1b244eb63b858ee0","assets/ReplayView-NyoxCKuu.js":"3287ff62230ffb13b7bf1fc75c0c9d3f05c19d8f11acb6657a5a4309ab025dcf","assets/RoundSheets-CWzXDsaA.js":"6c1ea55a72436a01c1e401e84a2e02ba5b6f91ecc37afd036a19c8abc06a65dd","assets/RoundView-6FAOoSYv.js":"d312342c53d3d4d606251b868bdad02e1c7532baf14a7ca4ad97d3a5ee1b2db7","assets/SectorsSheet-C_4mhhOs.js":"2d4aefb6d3a55548df60d55954ea09905f41b61da513f3b231dd019f04396245","assets/SetupGuide-Dag2LP9c.js":"2009f7ef458ee9be7435550f8967778b0ab8916f10692b34f4d800dee70fc8dd","assets/SetupLine-BmEZXgB6.js":"db615e2b5a33deab0c0d0754d30d8e58af1923de7eef7f63ba5225555047ca0d","assets/SetupSheets-CounIGuW.js":"b2c3ce3b4c3da30edff6dce93d526e566e96e16880efe7e8c44e9eaa09b38540","assets/Sign-bkyp3xMa.js":"585b42be75abb08f049bbf705fbf66d91b936ff63f4ab6d79967db9d79b072fe","assets/SoundView-Do552QQS.js":"63eb87cc0f981aebd828a333b24e0c6c51877ef744a66699469a4899b293ea27","assets/StandingsTable-tlVnLr7f.js":"60629591c6b7d6e8026596ace00e58aacb6a994b478ff4c90d95cc78d082fa02","assets/StandingsView-DqOc0OdM.js":"2090de315274ba7d11e1b42a93ed5d6ee0e060ec704fd3ce0f43ad401f43951f","assets/StartView-3olLlUjn.js":"aba44ccb1e7d07694477e9b58f79cbf4aa76fa16e326240b2ff51f00b4c8f71b","assets/acting.svelte-B1vMez68.js":"4b2ca8275b42db28f8fc77306a4ec1588b612ed42fdbd5f43fd322b171ecdac8","assets/app.svelte-DNRbVZwE.js":"3a54eb2b1abd698de01a32f777792a7eb4505c0c93ff114f5ea020d88d86ae52","assets/catalogue-vXIswOPa.js":"061df114c84f4e8c2a300919d4533dda2bcee8f7156a001da85125f4a00ef951","assets/chart-Bt1obnF4.js":"6d4491c03f4079ac242cf02a34244c786e5509b7f057a6d73592a275145a6e3c","assets/clock-test-B7mn_u_f.js":"51443c4361ce910e3a1285808acd5ec112512d54912f078ec6643b8671e3fdc4","assets/control-COanZ8s1.js":"419f75d7d072f80cecd9cca08be4d40156424da21b239b0fa416f9f2e60cbae2","assets/de-Dkof8iPZ.js":"bbc87fcd22c9595a6390b28f7833d41052542d531a8a7ada05c759880d760c27","assets/decode-Cb39y0Pn.js":"3482590646d178854743c23b14afb1410a00a9d83aeebc40a0f0cfaa38ced9a7","assets/disclose-version-BI9mTryv.js":"b02d38e3e31e3f1208c4f7407c2f714fb75f9c205c85f665d94d37d7c5d86705","assets/download-vWOnvHa4.js":"981768cfdc09e467df99d1d0077bac86679420b593c91e2b81fe36e906f44b18","assets/each-board-Civiwcn4.js":"6e6df4373aa97d708a61b0d875d008e605097339048e309f1cbcd8eeb8298dc4","assets/en-4xOkGaaA.js":"8e45446730696f2c2bbaccbe8ca2f6d38f05938093f2dfebec4a48aa96452b97","assets/es-CQXcR9Hi.js":"75722b4b95077ed4e198dc6d5d352b26642a78d7ea8cb13d6bb13e4d69314f8a","assets/find-BUoNoBJZ.js":"74f4aa60d27cbff03a51dfc5dd81e372327e2d829d397f4639b280e8709809a6","assets/fr-BuNVvjNw.js":"5bd9d51dc615c3044e9089a834debae8962a2ed94826fca74f80ae003b0282e5","assets/guide.svelte-CPBLoMc0.js":"fce43a1d1806bc662399871c1c0c6788e451a7dac380d2c2822a44958dd3d1d5","assets/hold.svelte-CPHy1crT.js":"5debe00b85b3529a44c40b36be0917c9b0ba527272aa70912158f282d0f3f61d","assets/index-BO5LEUal.js":"f4e82c86cdc587308e318b14a2fbe4b24cab48821d1a52c5b328493ab280a547","assets/index-BmnieM1g.css":"92be2d603d4090f8c39cbd0a10beaa72f082b861f89db1c8c46de9463044e24c","assets/language.svelte-Cg0Thy17.js":"03cc77651755d6126a31c9cc7d7d57100e019f34c90b4f8ddfc24524f0fca482","assets/notes-BRIEJmJ3.js":"4a1b8298826a845440a5852c96dec0c766fb3df56295b3aec92c43da3df9313e","assets/pairing-Bpbp5uoW.js":"74102d29c5a3a1bf8636a1ad2a96f37d5ccfad701eede1f9904a6a7de67b1271","assets/plain-BdVVEK8b.js":"e65c6905119b1d0742d070ba5cf909c8ffd2ff77cd56538d21f4a26b89f9ee8e","assets/plan-BR_8Vh6m.js":"47dcf59825f931b9cf879ec85c38e500c75e3936bd37a51f440035bc8c0ef3ac","assets/plot-BvcEVOZ1.js":"208f9081ed70cf4d53f8c27596825c718fdce69973ef293127a3c0f04f77ef67","assets/plot-CnsZ1jie.css":"0fd9465202f6dfceac29e67c17e5ac9fb1b7ba7615c1bb08782391b791d9f1e0","assets/preload-helper-BQUUbbNx.js":"fdc866086eb8bad8ef0387d4b59cdb01dd1e306f42453ee5e6b8b456102f1818","assets/qr-D15vRg4X.js":"dc5d1a8c7c42148c9ccc3bec037a2ada79d0d693645e20ba58b697f8e8dab47c","assets/record-CDm3CYiL.js":"3474a87fa0d30ed20400cf2accb5baf0025422c3bc76647e5c54876dd81fcaf3","assets/remarks-C77HWsps.js":"34f79242fe7e7ff8a99eafca6b1a35422c46f4883e85404c71aadfb544b108a5","assets/results-CweAgywt.js":"48cb22611a589a6b4a0b2c880b4f03eafc1d687a6a557700e1ee12a6dce4b97a","assets/route.svelte-E4CzvM5Z.js":"171b2af2368a4347f5f16c4c269b16b22b812e2f5c2df9eb514f9bc5dc39a23f","assets/setup-D5-IGusI.js":"74a5a503d6f265a3e0cf76c6c5d1b13e9df055cb4ddf27a0ba6079e9238102ea","assets/thinking-CSvMUra-.js":"a01c099115d12447dcd00bf1ff63b5c0c9f557cadfdb42f8687a233eb53c48ce","assets/words-B1ZbmzNI.js":"0fbf00a89e08718cb3f41344e7cbbfe5253cdcc1c30ab6d49c21bda13630ae5b","icon-192.png":"838415dafedc437e618d32d08525468cc0fdc832bf8b311d376d4dfb3de5525a","icon-512.png":"7faf3903cef657028b908bc60849cf7e39d2c04e7a4f601207db8f05bc4858df","icon-maskable-192.png":"5418f3217631d12a0fffc9a77189cd8f323e9eae2a9463300574d843cf0f79e0","icon-maskable-512.png":"e377d815f184ce54e5ded9b314561b9fca03d3fd0085dfe9ba594263ec03e055","index.html":"000bd10f15cde39a78e8b522921b33408a9e7dd7ce7207a2502ecefed5a0ef62","mark.svg":"480ac5e0eac82fac8fd0e85ffc66a2077c90f4d35a7656d2b2ff96138f858017"};

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
