// The page's service worker: it caches the app's own files, so that the page opens without the hub, and shows notifications where the page
// may not (src/lib/state/notices.ts). It must answer for the files in FILES only: the hub's data never pass through it.
//
// Each build has its own cache, which is complete or does not exist. An open page of an earlier build finds its later parts in that
// build's cache, because their names contain a digest.

/** The build, and the SHA-256 of each of its files by name; filled in by dev/worker.mjs. */
const BUILD = "7c671d07c15ca0d6";
const FILES = {"app.webmanifest":"e80ce7a10f85db1bf865dd4c8b0034ba18b3974692a6eaed82d1f652ffb1e27b","apple-touch-icon.png":"8c1aebb921919b295d39564bddf446790e34f3fbd66f8681d4401878c489d39c","assets/Act-CMRCzyVA.js":"46cfcc1b1f7c460c57aca3ebf3736f3285ec12493ffdf66f3cb7097c3cd38286","assets/AddBoardsSheet-D4RHd8HU.js":"d0d37644de4b0a496f5aba079cf849bc0b1b4cb880aefa4ef0836423eab2a671","assets/AppBar-CC1q9kfJ.js":"e8cb043edc2b488553954598e809dd34a98a3cb862fe9fff0c702449b2711f89","assets/AuditView-MSJnILm_.js":"8c924dc8dd11974991c2c5de1f615d5b56bb815af0c56e110a21832b840d4421","assets/BroadcastSheet-DlieJBP4.js":"79442ecc8983bb876475123b91a80dbb6e6566cbddcb3ba31423cd65745f4ab9","assets/ClocksView-F0jsIZb7.js":"288322bcef1d4460bf08c9ffd5aaafd59a3b429863e55395b914e7c078d0425f","assets/ControlPick-BEMR9oq9.js":"52c86b5a7797df809658f5b29988a7077ea50e39b59a90bf2cb0d7f05a420b22","assets/Dialog-C0jTjlbE.js":"44149a0a79d5916fa1f412d24494a28ffbf04a10f01013fb166bab23d61243b0","assets/EnrolSheet-Dafxak2q.js":"2122d56869cc5acd13c2ba7a082583f697ca1ab4c2ac2a72169015fc99c69c1f","assets/EventSheets-DTJ5u1LS.js":"05829d54ec435bda1c817b88f73b0c3f886ac92c4212d15f99200e1ed0632911","assets/GamePick--leam-wB.js":"ab28e988ba3f9eb162aa5900912e69201b1ad42d710002af58111ed3693c6dfe","assets/HallMenu-DCER5_xs.js":"68a7222204dd87e008e74cfc2bf84150b3c162cd7863a6fca3168ac79991d636","assets/ImportSheet-BTYcSW8k.js":"0e9a796d78e0d4c940668d582857448e2f340639b9a5b3ea20d8e6b310d45b01","assets/ImportSheet-J4hzjBuK.js":"2198ab387ccb6a3db243ba6397439ee14455f1cafc8cea0e6c8f2dbf71a060f2","assets/LinkState-B2w2yr4A.js":"0128b37dcb659e4f48472393c331fc8d06e526b2b5c5abd5f1f240b34557afa9","assets/LoadFailed-BRj7qriu.js":"293b09ff6229356e2c96fa6c356cd078dc1f777737d09c01e86940e455616476","assets/NewEventSheet-C7jKTWtk.js":"5a2ba7abac5ff06e0dfcf11741098e5fdc5053fc30bb9db9bfacbfd036076685","assets/NewEventSheet-D0Y0qxGZ.js":"52aad46109f44fd35fb82c45d82fe2a58f3770abfe93aee71dd811945ecd536b","assets/PrintSheet-q3nqRAD9.js":"c8cd29fe34f85181645c6f8f29375a81e8d782bb5518686e85ca992f3edb75e6","assets/Qr-DwPoq4xs.js":"ade51182a27e9bba3ac86ad34669a7c275ea2c87d8b285141c676a574ff02005","assets/Refusal-Gzgr91g0.js":"40af1a654cdc9d043574ee225cf3e6baea503917589022500ad1099af0fcfc50","assets/RemoveBoardsSheet-BTt3eSLs.js":"5b748eb44e3da9be73bb19567eb672338c4f5ca95a100f9468c92a3072f5a50e","assets/ReplayView--UurdZjd.js":"e5491c25bcf268fc7a058626cdcbf2d1f24c75dbc6d061960daf22b7dff8f56d","assets/RoundSheets-Cvomak7J.js":"6df289ef02991fc2f89696d6b2b035b890c181c3a0b439cf4f9b437b6a3ebc0f","assets/RoundView-D6GrgGPh.js":"dc7df810dfe99ac483db38d76d3240dfcc6b2a6b03cfb0e60b200e67b1b82c06","assets/SectorsSheet-Bt0HPsFO.js":"1ed9cec29123b71a9d3b91de2345eef4e55f5154ee2cba717ac856d7236fc6a7","assets/SetupGuide-Bg2w1s5z.js":"7a99c07766c79cd4d2634a76bbf3ebe62206d81e3ab52cc6f98a98692ff02fc4","assets/SetupLine-LTZfqVZ_.js":"a09b3a4ab71f97a4559aa3ab14f888cad0992ea9ec91208640dd36b08f66ab4b","assets/SetupSheets-Dzs8xC-b.js":"52bfe541f4c3890942c93de61d9b1e05e2746b65dfcb2b8266dfb8e2cc45424f","assets/Sign-bkyp3xMa.js":"585b42be75abb08f049bbf705fbf66d91b936ff63f4ab6d79967db9d79b072fe","assets/SoundView-BaxxW9Rk.js":"5e02e6b2ad719bf10a7a4d5d8d39f4b7edbaacbc310ff027d7c3c6abe1c0dcc9","assets/StandingsTable-BNk3VYmm.js":"d7f30ee80c4a1e01dd9143b4565f924ef9922885f06214cd6458b074033341ed","assets/StandingsView-Bh2RjGyS.js":"0e70aee435c1f1bc43a312dbd748d39e78086ef4c8920d0ef474936eec195a3e","assets/StartView-BMziwW2S.js":"575f066d5b404a508ded08d856e6b60f9bfdb616cbf469427fb19685869d8889","assets/acting.svelte-D5hwXRpY.js":"972327e64ac73362f1a5d5f5402a53ed14272903e10d4a38dabea993697a1b31","assets/app.svelte-DQA3TfBT.js":"98fe61a0c07d3210fa3c0eaa8196138290858021dc8f719b3c814ca51bb7d064","assets/catalogue-Bql0r4Km.js":"1bedb145e702d5244ab99bf499b14f43357e3d1e7565d04fd90042daa67b2115","assets/chart-Bt1obnF4.js":"6d4491c03f4079ac242cf02a34244c786e5509b7f057a6d73592a275145a6e3c","assets/clock-test-BXO0VNKi.js":"ff50d48a0f87d8d8d2d7e19e40590ece01b80818ed3c33269d8439e2df9a4098","assets/control-DTVCbWMc.js":"9d7696cb01083c90082e8f6b0c24d8a32edbc0018a12165d54ad4dd1cba43fd5","assets/de-BnmNy4wI.js":"b80af36a038e3a7f0b306e4e9b00eac29ca420d8b90075a57445080782ff807d","assets/decode-Cb39y0Pn.js":"3482590646d178854743c23b14afb1410a00a9d83aeebc40a0f0cfaa38ced9a7","assets/disclose-version-BI9mTryv.js":"b02d38e3e31e3f1208c4f7407c2f714fb75f9c205c85f665d94d37d7c5d86705","assets/download-vWOnvHa4.js":"981768cfdc09e467df99d1d0077bac86679420b593c91e2b81fe36e906f44b18","assets/each-board-Bi6xwhI5.js":"f0ee88b66992aedf2854999a0432249f11bd172fd0f0d02300d6cc12b097b784","assets/en-DzlqfLGr.js":"da517fa7097bf3f632a202c5d29444923b3ef96b5392b407d0037ea7d10201cf","assets/es-B-pm04JD.js":"831bedaa0944190f71a612f614d6e45cd3c9202e536a71f2045479fa48588e7e","assets/find-CoW-dTZ5.js":"b3eec2d983bf66f8d62befe818763a7b04fa32cb51828764513b62225714c033","assets/fr-CzKCmZVe.js":"d56495c532c7032ac528c70c1db6262e2446719c4abd16a75498ff17cd53ced0","assets/guide.svelte-CPBLoMc0.js":"fce43a1d1806bc662399871c1c0c6788e451a7dac380d2c2822a44958dd3d1d5","assets/hold.svelte-DgqEINp2.js":"a1bb139b5708367ade0ff101461531efef37c89f96cdf1152d7f198c1684eda5","assets/index-BksfR9g_.js":"54ddc7051c330fef52c56551f60f9e41e675ecc878998df4ae41e6136ec05d84","assets/index-BmnieM1g.css":"92be2d603d4090f8c39cbd0a10beaa72f082b861f89db1c8c46de9463044e24c","assets/language.svelte-C58c5VO-.js":"865aa57d6c69df0f7beb28cfb32390b7c7db510bdbd55455d4e35b001d238768","assets/notes-DB3wSk5k.js":"0a651d608eb162fded9af6e90c36d7b2fde57fb120f8613fba0692916418d42a","assets/pairing-mrraumzW.js":"23f0cd60c27c46289b3fe8375fc6fa14a878aaf0f2f480185486c882a05f7663","assets/plain-BdVVEK8b.js":"e65c6905119b1d0742d070ba5cf909c8ffd2ff77cd56538d21f4a26b89f9ee8e","assets/plan-BR_8Vh6m.js":"47dcf59825f931b9cf879ec85c38e500c75e3936bd37a51f440035bc8c0ef3ac","assets/plot-BvcEVOZ1.js":"208f9081ed70cf4d53f8c27596825c718fdce69973ef293127a3c0f04f77ef67","assets/plot-CnsZ1jie.css":"0fd9465202f6dfceac29e67c17e5ac9fb1b7ba7615c1bb08782391b791d9f1e0","assets/preload-helper-BQUUbbNx.js":"fdc866086eb8bad8ef0387d4b59cdb01dd1e306f42453ee5e6b8b456102f1818","assets/qr-D15vRg4X.js":"dc5d1a8c7c42148c9ccc3bec037a2ada79d0d693645e20ba58b697f8e8dab47c","assets/record-CjWT8EBh.js":"060fbbd8d9d334eca810ad3bf50fb0409d4b0ae7f3e70f9c6b1e34ab7cce67b4","assets/remarks-BMhIirvr.js":"7482ab605da3da44000fe80b2a0cb2e90ce45e202c3f2e9cab6e4fcfd047ead6","assets/results-BCwiBPvz.js":"840248d72ec91566414ec21910600aff3725464cdab4a5e613c81fe9eab0c604","assets/route.svelte-DmOpI_t2.js":"c91ba3f5954e1ce6c270b1a4592b68dc821a40a29e93e972c09502b60a18e363","assets/setup-DrxX2EcA.js":"1eaf39e9000b35d798ee1c3653b00711e39557299155ebaf64ec33e696aa0d19","assets/thinking-CSvMUra-.js":"a01c099115d12447dcd00bf1ff63b5c0c9f557cadfdb42f8687a233eb53c48ce","assets/words-BYp5Msaa.js":"1efb16cce6f3776b5aea90b5046aae09ca54ec965568880b58f06b2d219eca05","icon-192.png":"838415dafedc437e618d32d08525468cc0fdc832bf8b311d376d4dfb3de5525a","icon-512.png":"7faf3903cef657028b908bc60849cf7e39d2c04e7a4f601207db8f05bc4858df","icon-maskable-192.png":"5418f3217631d12a0fffc9a77189cd8f323e9eae2a9463300574d843cf0f79e0","icon-maskable-512.png":"e377d815f184ce54e5ded9b314561b9fca03d3fd0085dfe9ba594263ec03e055","index.html":"ee36ba482727b067b0989ef99d46e14e20b6137440348ccb6d8a99e1422c581e","mark.svg":"480ac5e0eac82fac8fd0e85ffc66a2077c90f4d35a7656d2b2ff96138f858017"};

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
