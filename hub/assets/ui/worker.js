// The page's service worker: it caches the app's own files, so that the page opens without the hub, and shows notifications where the page
// may not (src/lib/state/notices.ts). It must answer for the files in FILES only: the hub's data never pass through it.
//
// Each build has its own cache, which is complete or does not exist. An open page of an earlier build finds its later parts in that
// build's cache, because their names contain a digest.

/** The build, and the SHA-256 of each of its files by name; filled in by dev/worker.mjs. */
const BUILD = "7e1ecbd29112b9e7";
const FILES = {"app.webmanifest":"e80ce7a10f85db1bf865dd4c8b0034ba18b3974692a6eaed82d1f652ffb1e27b","apple-touch-icon.png":"8c1aebb921919b295d39564bddf446790e34f3fbd66f8681d4401878c489d39c","assets/Act-CMRCzyVA.js":"46cfcc1b1f7c460c57aca3ebf3736f3285ec12493ffdf66f3cb7097c3cd38286","assets/AddBoardsSheet-Bg9lpHFj.js":"bf38c12a86991ac094a8639d383a4de42171b193a3e793bca35f68c0cc8e7d5e","assets/AppBar-BmtUSal7.js":"bdf136fb7603ee880e37efe4f89506bf7052607b283c0ea01df67e446cf265e0","assets/AuditView-bIEPGNCS.js":"c82c5b96a89858e396c5d40692ab98c763406567811cccadf96848d92fd60939","assets/ClocksView-Cro7_Cui.js":"89ee00d22d9e27ce48697c2f5b0b8d73d7000a8e20357378faabed72314ee277","assets/ControlPick-D6z6wflA.js":"90455813a415c27e16aab74a48bbfda491dddc3f6daecf4f669efc7beef75ff4","assets/Dialog-Dx_wa_L1.js":"0f918b658e3300748c2ca88dd6c5190261b07acb3c7239db18182503dd46ccc0","assets/EnrolSheet-CX2f6wKS.js":"cc9f9287cc03c02abf90b3e6679b5682557dddec5144ddebf8d3be5fc51aa56c","assets/EventSheets-0vJwnjvz.js":"a987856ad56521a2cede3f7710182de99fa488ad0923ba53b2a633ec78cc886c","assets/GamePick-CIgCoFqI.js":"b010a573f91e779dc9e3993a6abf55a1bc88528eb8b8052e480664c87e6b9d79","assets/HallMenu-Bvu1RuEC.js":"172c25a188958b05bd7c36bdc92208b33220b44e8007ea5f1f09170fd1f3066e","assets/ImportSheet-D8gmg1MJ.js":"608b52a219f56595e8d4a574c8a3e83a286327862257f8e41fd8986619150bf9","assets/ImportSheet-krFVPjN7.js":"0d5ed5c6fb5a00a94d295713cc25e41203d6be53be155ae5ab2b4bbb8850dc24","assets/LinkState-CL1eIi-F.js":"a052d6bf910a4617e42742fe867c4486dd5c59ab2f82b38adc670964080bdc3e","assets/LoadFailed-D1JHOBQs.js":"fe1cf5543bd595d00c86be5ba987668c32e6aa7e316a8e1118d4870752b776ff","assets/NewEventSheet-B--rC7dL.js":"a2aa037dc0c25e8e455727d951704ffdf4f87ea7070d68fbbea0b778a6f23bfe","assets/NewEventSheet-axUgW1Hw.js":"e8291a98e2f37726d2f6e53d46e9ab16b1be19946d4bdf7c8fe6afded7cdb453","assets/PrintSheet-B5Wpn_Ju.js":"7490a9e357b71ab92eb03b424ffcc3e367210f156fd049e42bbad4360ecc3c74","assets/Qr-DwPoq4xs.js":"ade51182a27e9bba3ac86ad34669a7c275ea2c87d8b285141c676a574ff02005","assets/Refusal-Gzgr91g0.js":"40af1a654cdc9d043574ee225cf3e6baea503917589022500ad1099af0fcfc50","assets/RemoveBoardsSheet-Bfu2GwJ4.js":"407b79c519ef8749b8d599bceacad77722077c158720fc16490327b1ccbf5883","assets/ReplayView-BfvLzn6o.js":"c5f157480290c0cff09254f5ce1087c4b40f829b0260c0c3beabebcec79bdff3","assets/RoundSheets-CPauglLz.js":"3ddee658ac3d4c62ed61bc74aaa0f4aba0f4ada2f58a2ecdf657c000dccf39b3","assets/RoundView-COLeViL9.js":"e6e9c55a5d9ecf51e0429fa71dca76b55eca6567b751598ac7c374e0784b7996","assets/SectorsSheet-v4Cb-dmZ.js":"89e0143cb3c7cf772e80079c6e1b93510b20138444b2afde346315d866d48531","assets/SetupGuide-BOMRo6GQ.js":"7468940d88fcb6df3651008a13e36e427fc35d99ea22e055e4c1adcd2f9b25e3","assets/SetupLine-BRoF2tCs.js":"ac2be54b8aa9f6e25e0281437a89ce7f2b5e51aa2a904b74f2151e5fc5d2b4e1","assets/SetupSheets-BmDeC4B1.js":"33d4926080503140bec9eb159d3b6228d840f98a461c7f6dcb530c26d71fd983","assets/Sign-bkyp3xMa.js":"585b42be75abb08f049bbf705fbf66d91b936ff63f4ab6d79967db9d79b072fe","assets/SoundView-BnnvKWu4.js":"ecb3ae0b5d0639f87161a41e53900f2f2cf849922f626d0c7318efbc552411fd","assets/StandingsTable-CVf-2fje.js":"bb99550181bb6dda186fdb237175a04cb396e4fb3b9067c5e21d88db22d55b49","assets/StandingsView-B2k99vbq.js":"a2014c76f9b5438a7f217e15d4ba2aee737d31f6a123414f7f5ef43bc082d61f","assets/StartView-i9Rup2xl.js":"40e572358a863317b8cab4414fc49060cad0d541886c956ded6c5d90b2028ab1","assets/acting.svelte-CGKs_A4R.js":"b6a08fa28b738a5a1c51b52278ddd730351e868a88cecc478717776223539a20","assets/app.svelte-BmZZNBQm.js":"e3662adb06dda8ffc9f0e76fc314b19f5a4b4af590dbef86408527c89571dede","assets/catalogue-Jk9aFyb4.js":"4b55736da36a663e21a3ea4df8a2d46fcd948891d7d1dd0309255236c63c0325","assets/chart-Bt1obnF4.js":"6d4491c03f4079ac242cf02a34244c786e5509b7f057a6d73592a275145a6e3c","assets/clock-test-DbpYrHc1.js":"0a9a9f4fa6e8b1096ea5cbc313e9d04e777884d6b7e8c9ed18ab973e3bfdf4fa","assets/control-Dx9mggZ_.js":"4e02c1f024bd606457ffc5fcc8fb5f11dd62c4d33719cdfaa3d02df6d16e9f28","assets/de-CxWuX1AG.js":"e97cb5de566076346e52d5813074095d6b40d1c8f7ed4c7b95a85c78f7a4d68f","assets/decode-Cb39y0Pn.js":"3482590646d178854743c23b14afb1410a00a9d83aeebc40a0f0cfaa38ced9a7","assets/disclose-version-BI9mTryv.js":"b02d38e3e31e3f1208c4f7407c2f714fb75f9c205c85f665d94d37d7c5d86705","assets/download-vWOnvHa4.js":"981768cfdc09e467df99d1d0077bac86679420b593c91e2b81fe36e906f44b18","assets/each-board-B-gIGrog.js":"534d1c3231770cd30ee48837b9bee9cf45e9324d251cc3d11ef09b0576c2c978","assets/en-CMOMkBDn.js":"d0ca6d788dc236d616072ee165e39bf61b91ffc8b206c46de44b8ee714551d2b","assets/es-COxYtaTv.js":"ea23630085b885b3a7204f67ce6776dac3e3aa986c277049b233cdd9e40ce4e2","assets/find-B-aXOSuj.js":"a4c44919bfb8edcd899632be9df3442dcca6118087e157e41c3109f588468060","assets/fr-Cy9oeQPb.js":"d1dcc09312c3b59a9c734d4410d96824443ea23fcb0b233e74d8cebf7e4aafce","assets/guide.svelte-CPBLoMc0.js":"fce43a1d1806bc662399871c1c0c6788e451a7dac380d2c2822a44958dd3d1d5","assets/hold.svelte-DBns1al4.js":"288f27dd2503f7638ff641bd35060344c09d0a0c37ae3078aa2c3b3694b5e793","assets/index-B9E2weyX.css":"9bf5c9902355e22a7b2e7fa6f2b06ecd0aa4bc2b4597838d6d1716479c93fa78","assets/index-DXcwtAWN.js":"9190e4115ba53b56828e43264ebd019980fb79733084c741164d1450082448f4","assets/language.svelte-DLJGooUO.js":"a791026969032745997590d6fef65e7a646358b381160456d6584e2d47e6090a","assets/notes-B4lG114h.js":"2f02af1dfac4bb9e032bb64549e1644012cd570834d3fe44b7641f2d33e618e3","assets/pairing-B51MaQb4.js":"8731defdde338eca78d302755eda3b4264352fd1ea05beb44a28b57aaffa3807","assets/plain-BdVVEK8b.js":"e65c6905119b1d0742d070ba5cf909c8ffd2ff77cd56538d21f4a26b89f9ee8e","assets/plan-BR_8Vh6m.js":"47dcf59825f931b9cf879ec85c38e500c75e3936bd37a51f440035bc8c0ef3ac","assets/plot-BvcEVOZ1.js":"208f9081ed70cf4d53f8c27596825c718fdce69973ef293127a3c0f04f77ef67","assets/plot-CnsZ1jie.css":"0fd9465202f6dfceac29e67c17e5ac9fb1b7ba7615c1bb08782391b791d9f1e0","assets/preload-helper-BQUUbbNx.js":"fdc866086eb8bad8ef0387d4b59cdb01dd1e306f42453ee5e6b8b456102f1818","assets/qr-D15vRg4X.js":"dc5d1a8c7c42148c9ccc3bec037a2ada79d0d693645e20ba58b697f8e8dab47c","assets/record-CVq2wLQP.js":"decd5e2072b29593994d842a8da70abbd6db886bc8982171719b2b1f2e0ca508","assets/remarks-zzngEUpV.js":"77e69dc3a7694d118cf1892eec9fa64a2ac389f18a3d04f5563567794e8465a9","assets/results-D60HYXEE.js":"a62d875821a490d3c2e5d7f8f5f74112462b70a601e84554e2fced915ac7c60d","assets/route.svelte-CVUBFQsb.js":"9e3acf87e689ee29cb6eb77613bff9dbc113f0225b0d53b604a5b0ebdc1b6e92","assets/setup-Dnfa8D5t.js":"416cdf29b890aa43f2122d97921702d7591d2869330491885f3e9af820b8ee82","assets/thinking-CSvMUra-.js":"a01c099115d12447dcd00bf1ff63b5c0c9f557cadfdb42f8687a233eb53c48ce","assets/words-IGrLFwUI.js":"f33dec77de29b30f8f8a19ea7ca8a8da86f845058a19be121941501f85978c7a","icon-192.png":"838415dafedc437e618d32d08525468cc0fdc832bf8b311d376d4dfb3de5525a","icon-512.png":"7faf3903cef657028b908bc60849cf7e39d2c04e7a4f601207db8f05bc4858df","icon-maskable-192.png":"5418f3217631d12a0fffc9a77189cd8f323e9eae2a9463300574d843cf0f79e0","icon-maskable-512.png":"e377d815f184ce54e5ded9b314561b9fca03d3fd0085dfe9ba594263ec03e055","index.html":"eea201c17ae55f82d1a0890473c109f4caee070d86120d69123c456d6eb80dc9","mark.svg":"480ac5e0eac82fac8fd0e85ffc66a2077c90f4d35a7656d2b2ff96138f858017"};

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
