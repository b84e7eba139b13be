// The worker of the page. It keeps the app's own files, so that the page opens without the hub, and shows notifications where the page may
// not (src/lib/state/notices.ts). It answers for the files in FILES and for nothing else: what the hub says of the hall never passes through it.
//
// The files of one build are in one cache, which is complete or does not exist. A page of an earlier build finds its later parts in the cache
// of that build, because their names hold a digest of their content.

/** The build, and the SHA-256 of each of its files by name; filled in by dev/worker.mjs. */
const BUILD = "3edb3aae04a7b1b7";
const FILES = {"app.webmanifest":"e80ce7a10f85db1bf865dd4c8b0034ba18b3974692a6eaed82d1f652ffb1e27b","apple-touch-icon.png":"8c1aebb921919b295d39564bddf446790e34f3fbd66f8681d4401878c489d39c","assets/AddBoardsSheet-BUpxNzBS.js":"8902a0e70a23914406d157864e82c1738cac74fcb81ee5d65f67d11a6d15f0df","assets/AppBar-DeQ8Jt-v.js":"89a1e5fd25806e0bcb377a3b005de839d8c554ebc58f3f02e2d5673e883eb69b","assets/ClocksView-R6TF0jb0.js":"a4dbab5950a014133b563fb50ff114792c5c8aa908de1f48bf7bb158f7525b90","assets/ControlPick-UfwUzYN9.js":"573c676e3223ab355b51bfa9073899b70123569d71308eb80cb09b75322abad7","assets/Dialog-D6Y-nzar.js":"35f59d58930326120b6d24031a86cf74d8ffad53c51bf34ee9ef9a240d0fa48e","assets/EnrolSheet-Bna-tEUb.js":"03fa9c6af4feeab28dbdb7fe14f56637243fe449109268a1e83e6363b40a226c","assets/EventSheets-Bv48S0MB.js":"ce303250f3780679782c9f8b3045102da62b043b6ad9a38333a225199e0b4470","assets/HallMenu-CVfYlq3i.js":"29d38bce05dce13bc7f2110338515a3aa44aef155bf70c4655e577053d9bfe58","assets/ImportSheet-9rx1jUSq.js":"3848b69bd37657119176ce65da27ea366fcf931032b799a100ec7e4c359282c7","assets/ImportSheet-B6rzhu-0.js":"f1ccc82beb39de1a7b16ead3e1edc343b9a17ddc23d0fd08250c90741f91a97e","assets/LoadFailed-E-zbJGVY.js":"4204eec38998f93f9bdc72304829dd084790cf139e1df240b2fcc68db4260e65","assets/NewEventSheet-DePul7ss.js":"11982ef42e09be686ade7066cb957be5be97bc4f59ce7668b8e8e92f6c4e9255","assets/PrintSheet-BymSAUqN.js":"175116fe8ded455ce640ebed201bd61bfea9348b7fcc0645fc416f7a8d885cd7","assets/Qr-BDYeY96J.js":"cbea60994b5943327e8ef2319b24d495763d0c47f45c8d00f2afcb087f9dffa7","assets/Refusal-B7iKL3-u.js":"624ae806435f95e65c4e89991d2e301228435f264d12388d5c40d1fe277797ab","assets/RemoveBoardsSheet-B4T8R7ZF.js":"a84119cf18f14b617c77456dd35590308edfffa6769e5013ad3b34e40f97beb0","assets/RoundSheets-BCclybqc.js":"6a402f5c36066b1ebb8e8008fc63514499e61a1615479f7bd068acbb5b1ca27c","assets/RoundView-DPzEJut1.js":"ece79ede8eedc0c7dbe862d16212e50b3665314fe1af07922bdbe51cdcb7ba5c","assets/SectorsSheet-QC3cI4iU.js":"06c5167849c0d60634fc231cffb92aad0d3df45f9652755125af4dc6d66de8f2","assets/SetupGuide-BFRvVWSs.js":"a51e122e7949254e3e91ac619d4ecd60bc28fc946a0f285276f869a149b432a2","assets/SetupLine-DIcrjxm8.js":"688d1f86830bf801d0efdb00eac38d7d15e3078ff8debfe02db085c32cca9b3e","assets/SetupSheets-CFD723e6.js":"338575d6d7a01f1521fb74e99d67bdd74f1067a61d76bfa3a5be76d50c53ee85","assets/Sign-_0RFpY3Q.js":"83033b331ae4b2dbe103db2f4ce10979688d931e0ec9da2d079d8839a60eba37","assets/SoundView-CkOQG_Cy.js":"b7a465e903803067ecf818b2f51becc49cb27db135613377fb34c1b1a755baed","assets/StandingsTable-CmnHiYjU.js":"5abcc8a19dd980ab042ec6a0c5456778599ef89e152a632aabbba8b4cc4e72d1","assets/StandingsView-CWWKXlja.js":"3634294304573d721b2d74d4bd14f104ee1b4f0cc14224b4c709a04c27b5baea","assets/StartView-D5kwY4An.js":"e9435cdd329c8af79cd04b3ad6b50f355cf64fbe2d81d0dc263d102ef0c6c405","assets/app.svelte-_mEpRmbn.js":"518ad4d8669cec7171299f4280ab6dcd9a1d5476097322c5292d2a9f34cc8fdc","assets/chart-Cp9pYTV4.js":"7840358a51e61f0c4815097b9eb0a22346a03038845433e8719dc98d11d89f35","assets/control-BlFeqOJv.js":"44426eee0780217d51b9a171955796acb8f1c4305cf026a915db0f17a18ad540","assets/de-D4iCW5SV.js":"85163c2eca10650ef098a0faa1c409b9d9f7dd4fd9c68a1b83e3b4f3fe345c02","assets/decode-Cb39y0Pn.js":"3482590646d178854743c23b14afb1410a00a9d83aeebc40a0f0cfaa38ced9a7","assets/each-board-DQ245nCa.js":"1f4dbee93869b95c9102125be6d5afbc2fa654591f5c78eb76c7b60d96af1910","assets/en-DhSCr19U.js":"c7246ab9f47b182507db78645474252179a493f562bd54a02283c17afc93c9ba","assets/es-Bmq_UjnV.js":"d2231f4a8c7c37188576a221720dfc1f2d5036501ab338ae1d336b3ddaa3b203","assets/find-DG4AHZ2m.js":"75c0979a0c3dc71d446b76625f2aadd6390c8d82fc1ddfefca786163187d128a","assets/fr-B9eIkjQl.js":"06b28e02cabc0639d4b8006327bac0718c2fdffa4a565a6264c49a9b21a9ddb7","assets/guide.svelte-Dlv18H_6.js":"f18e0194208a7e0295be889945429ebf27241eb92a2d8af6e45ee0f750001c16","assets/hold.svelte-zHN5FwND.js":"146cb729ef33ce0eebb046a314e4ef66d5c71a8c6bfed9b93179d3b0c8b01e6f","assets/index-7cnL1kfw.js":"953428caae58b6117e55619a6d957991efa79cc1e08d04662524857ad881fc68","assets/index-mTtdBfXp.css":"fdf83fd6362cb275364b9faa08d742d7b67c3445732d1fb74987c9b817b223f3","assets/language.svelte-fV_NEnXy.js":"475ec85b8503e2b0b5b7ee4ece3968dd7349f7a41cd93149c2cd8c9d8e2873c1","assets/pairing-I6olbEwh.js":"3782b98689604695cf40f35b572a1cfae47ec117791a4fb75e64a595d1ca5003","assets/pairing-nMV5L7Bj.js":"6a1689683272f930db1ed4e2bc79fe9a39e3166e252c8460b65823d7b7defb85","assets/plain-BdVVEK8b.js":"e65c6905119b1d0742d070ba5cf909c8ffd2ff77cd56538d21f4a26b89f9ee8e","assets/plot-CD2inagw.js":"2823ffceac4ad594703c799462565954cc873469e0a89cb7f99c062f33c5b6bd","assets/plot-CnsZ1jie.css":"0fd9465202f6dfceac29e67c17e5ac9fb1b7ba7615c1bb08782391b791d9f1e0","assets/preload-helper-DgtOMnQW.js":"9e88e4509dbff6572d6716945c453290735d226cb18edc47fc1d337da8945845","assets/qr-D15vRg4X.js":"dc5d1a8c7c42148c9ccc3bec037a2ada79d0d693645e20ba58b697f8e8dab47c","assets/registry-B1INsJo1.js":"092da2a14b4ef4606cbad59bc28251401272658b4f07be51f1457280e17832d8","assets/results-DkQLLMOQ.js":"0acc9616ef9dca3b414330fb573b1ab0d89b18a6010c9c7dc8a459eb7a1c0ec5","assets/route.svelte-BsgZetcc.js":"3cc9d28cd799a4a3a06fa71c2cc4708c768f9510a3e62c34782bbf695dc2262b","assets/score-CYhW3CNa.js":"560ac66604c29b7ff292fb22683977b45ad508aba1df02ab66ad6666be47aa06","assets/setup-3BHpQRj5.js":"3e5d2293f821ed5705a144ec903c6bd507c6fbe6c869b66164a4b039be49f0e7","assets/why-ITIziASs.js":"ed1be8f617b1bcfc6d4b1c4424a7cc1882ec0219f999f2e2ce872ef4e2967f3c","assets/words-Br5MrtWJ.js":"ac84692b994eb288ecd287496f5c5cec2fed4f209b4f308eabd5961178ab87d5","icon-192.png":"838415dafedc437e618d32d08525468cc0fdc832bf8b311d376d4dfb3de5525a","icon-512.png":"7faf3903cef657028b908bc60849cf7e39d2c04e7a4f601207db8f05bc4858df","icon-maskable-192.png":"5418f3217631d12a0fffc9a77189cd8f323e9eae2a9463300574d843cf0f79e0","icon-maskable-512.png":"e377d815f184ce54e5ded9b314561b9fca03d3fd0085dfe9ba594263ec03e055","index.html":"78d2f268f313530055c4eac46766891faf16d68f9e33bcbebee562e0aac48a57","mark.svg":"480ac5e0eac82fac8fd0e85ffc66a2077c90f4d35a7656d2b2ff96138f858017"};

const CACHES = "flagfall-";
const CACHE = CACHES + BUILD;
const PAGE = "index.html";
/** Below this the names hold digests: a file never changes. */
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

/** Takes over from the previous build at once: the pages that are open keep their own files, and the next one to open gets the new ones. */
async function install() {
  try {
    await Promise.all(Object.keys(FILES).map(store));
  } catch (error) {
    await caches.delete(CACHE);
    throw error;
  }
  await self.skipWaiting();
}

/** Stores a file; fails if the hub has another build by now. */
async function store(name) {
  const address = new URL(name, home);
  const found = await fetch(address, { cache: name.startsWith(DIGESTED) ? "default" : "reload" });
  const digest = await crypto.subtle.digest("SHA-256", await found.clone().arrayBuffer());
  const hex = Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
  if (!found.ok || hex !== FILES[name]) throw new Error(`${name} is not of build ${BUILD}`);
  const cache = await caches.open(CACHE);
  await cache.put(address, found);
}

/** Keeps the previous build for pages that are still open, and drops older ones. */
async function activate() {
  const others = (await caches.keys()).filter((name) => name.startsWith(CACHES) && name !== CACHE);
  await Promise.all(others.slice(0, -1).map((name) => caches.delete(name)));
  await self.clients.claim();
}

/** The file of the app that a request is for; null for everything else, which the browser fetches as ever. */
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

/** Opens the place of a notification in a page that is there, or else in a new one. */
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
