// The page's service worker: it caches the app's own files, so that the page opens without the hub, and shows notifications where the page
// may not (src/lib/state/notices.ts). It must answer for the files in FILES only: the hub's data never pass through it.
//
// Each build has its own cache, which is complete or does not exist. An open page of an earlier build finds its later parts in that
// build's cache, because their names contain a digest.

/** The build, and the SHA-256 of each of its files by name; filled in by dev/worker.mjs. */
const BUILD = "20d127b3a78f6ab5";
const FILES = {"app.webmanifest":"e80ce7a10f85db1bf865dd4c8b0034ba18b3974692a6eaed82d1f652ffb1e27b","apple-touch-icon.png":"8c1aebb921919b295d39564bddf446790e34f3fbd66f8681d4401878c489d39c","assets/Act-CMRCzyVA.js":"46cfcc1b1f7c460c57aca3ebf3736f3285ec12493ffdf66f3cb7097c3cd38286","assets/AddBoardsSheet-Cd6Gnysw.js":"b1ae08b1fc79a23da70d083b1d31256d7a4dd0393fe8373c7e3fbd72b9831e06","assets/AppBar-C9HjEZ_t.js":"77f7f81c8bf11fc36856e9c1d13aee4898346758189c4ab46cb8ed0ed62750c2","assets/AuditView-Dh_kXMcS.js":"bc4061bd290ba77426733c6b529c124ccea77ddb030e3ffd4391d90ba9c42768","assets/BroadcastSheet-BrBiAEdn.js":"9e0bcd05d50065e9f319919fa9225c3216da74c37b630000a8a3f5bdeab1f708","assets/ClocksView-CzXT3e59.js":"378764b5897248929626254552f021ba2154e297ce9f4f0a60b8ec39ececa17b","assets/ControlPick-BY1DTEhg.js":"2210e26c489e210c9576e3f4e32437534e1291c5c0d0f99cf656fc30c1503c9b","assets/DayGameSheet-DqZUbwMj.js":"d894b7bd7b7e8b652db292bb16fb608d0fc4835e2e8a73518ade81879e37219d","assets/DayPhaseSign-BiYxFUnO.js":"503051af511843f76df66b70c5eeddb1e890386f791013e7d81da709d9892c23","assets/Dialog-CPN3lv9r.js":"10aad9a06386648543878ddafd3c144d63d5383c18e10603a27938ea171970b9","assets/EnrolSheet-BvtGtl2v.js":"3f165ed604d7c653ca93e7eb90a49213503c41a21453472ded3fc3b555709961","assets/EventSheets-BipvFi6z.js":"6b238586a3276970669b27dc0fe5f4450be2f2bd9899563ea786736ce3c3a844","assets/GamePick-D7BP_Oxb.js":"cad658adbd5c0b9461281e254773588a76100a5ab2fec1250f0e4565ae9b73b6","assets/HallMenu-CxU5CeED.js":"7da8d4e25c0d518bfab01d15d7469658afa5e21999c58a946529c9f5f09fd95a","assets/ImportSheet-Cwibr9RC.js":"04404d3a665764b05c6ca93ed6dd65a3737a5c29cfdd380bb5c3b6a130c91827","assets/ImportSheet-DXNLv8Aq.js":"8f6e962866d1ec6bee3cbfecdcad9c97a0ccb5c7bdab6b3f5d09c8d7706a7ab2","assets/LinkState-g0R7-N0u.js":"aefd426db967cb01c88554f82cdc8229907fe5603e99128bb8c13ba6a4affbab","assets/LoadFailed-D05E34G-.js":"e908f26b4124cd40ca59040170fa34548876921dc10ae442c64a066b24a88fae","assets/NewEventSheet-DmGgwP8P.js":"8e8a576d0df860aefc948e2c078a5ac087f0bf0be919e279f2f74b4b7d08f450","assets/NewEventSheet-r1zUdw-d.js":"ffa3d7b6cc0ffc6855e53747a4aa0911b83e4ded8c96eaae746b0b5032ce9cec","assets/PrintSheet-BtWsKNcQ.js":"7ea6870baac600174dea82aa50dc1ab20490d3abf479379d3485119bcc37bf45","assets/Qr-DwPoq4xs.js":"ade51182a27e9bba3ac86ad34669a7c275ea2c87d8b285141c676a574ff02005","assets/Refusal-Gzgr91g0.js":"40af1a654cdc9d043574ee225cf3e6baea503917589022500ad1099af0fcfc50","assets/RemoveBoardsSheet-D0stayW6.js":"a09103e678c326019702286c1b888fac7be49fa09b676ae1a83ab525a9dc943e","assets/ReplayBoard-CpZE9yHT.js":"2081ce624e1e125157f5f7abab8efd5ccf6f84f830389969e700b072147ce661","assets/ReplayView-IMsLbGiX.js":"bbb36e14d3f421a86e946cdbaa0625efe09a5e30df53e9fed119aea0aeff9540","assets/RoundSheets-CHK7rY1q.js":"db2159b7ac99235bb4d9824ad91df1b744b70988cdbab4c7708e099051a5a513","assets/RoundView-Y8bYXEP3.js":"4c3a0e252de6d700fa71689da82463df8b8454639b950819f2f2e84675dc2237","assets/SectorsSheet-CQkV36rv.js":"83afbc7241c8be36285e8c84c7a17476bef8e9cc322aed4405c5a8aa88541e12","assets/SetupGuide-BEfRPjwC.js":"f6a6399a171b64b08278c49ee82c57f266724261d4e787c89d430657b49d7e0f","assets/SetupLine-CzDqqvCY.js":"3a2541fdda4bd9fb225516b96c6e7ee3ed98d054dadeebd5ac30142a4dca3e9c","assets/SetupSheets-cFL5AdY3.js":"20ba33c12bffc35e762763de6f797b15e906698c90eee0446782222c6f04336e","assets/Sign-bkyp3xMa.js":"585b42be75abb08f049bbf705fbf66d91b936ff63f4ab6d79967db9d79b072fe","assets/SoundView-VdEOFfNw.js":"a5bb20d37062af2fe0e5b8ee053ebb4534b1ee666d671d5e3af1b073a65213e1","assets/Sprite-BYNRP5-t.js":"d0909d535cdc39f728570ca72cab4e734717388055183786cb222a221e0f66eb","assets/StandingsTable-Bue3OwT8.js":"f7e3b2148e916c41381154f212001be8d9f9c59b22b3501f72a032f13917b3e9","assets/StandingsView-Cnfb3bka.js":"b3c287aed31205dc593517e9ba01eaec92e23e248bf4dc178496df05ef1f7320","assets/StartView-C46j_5ok.js":"14c102eb6eeb52770720ef8cb591901649cefbc11cef584f8adfd14d17ddbcb1","assets/acting.svelte-DDFE0RHn.js":"7792b14377a27fd6a362b2d04d14f62281cf2af03da08991a2bcf465fa524c90","assets/app.svelte-V-MHXo9l.js":"29350af42e5fb0b8a170a39441ae0a8721b7ea32a88459da92ea3a885e3a0d96","assets/archive_pb-TbFojIT7.js":"be2350ea397eabf742c78cc6f0aaeb75ece19cf9b27cc5634e13194999bd859a","assets/awake-rlVLF5IO.js":"b82ef4efde54f9266eb59abfa7e169e5056c0ddffd2308d5e6e5b3d6902bb73f","assets/black-bishop-BEJxz6w6.svg":"b4343211dfa30fd8fb54f02bb6c088dfd64d586699503c7e4b38248546cab986","assets/black-king-CuVr95xE.svg":"324683f02ba4eb5e24cc9b8a9059d6f95d47bb1fff6c2ef0994d247ade9bb23f","assets/black-knight-DDE7OGzF.svg":"c9c51d6d11c2e3993bed1678cf744a205cf56f23c9d13df5af7ed664243e1c1c","assets/black-pawn-BVh5P20C.svg":"fbf212c48bae17e1438369893b8b053f5a22128301514168a7961d984cb02257","assets/black-queen-uBM8KzKr.svg":"11989a32b8925061ddc6dcc63f9706cdef1f0575161345fb5050d7bba703605e","assets/black-rook-DVdehaQU.svg":"6408c626e971e5cc09cbebc2f8c7b6e5db1ffe29ae612476ff474d53d0103c5b","assets/catalogue-DQlxf-PW.js":"51e22d45052de10c4ebe6735d8eb47b1efe97308e578740bbfb08027acd240b7","assets/chart-Bt1obnF4.js":"6d4491c03f4079ac242cf02a34244c786e5509b7f057a6d73592a275145a6e3c","assets/clock-test-XTU2CwBE.js":"b80e3c934de036e61dc2a07e36f053eaf699b1f3a85ba0820a71f1422c7a1107","assets/control-BXtZeq1k.js":"aea62ad86e52a5b8e051457ff75b180f4079a9f3a423f7f6439c1cbd816f6ad7","assets/de-By-Cugus.js":"7e48656fa600f167347ddd30197c8360c9d9d700b0abb57e8301daf2ef52bbc7","assets/decode-Cb39y0Pn.js":"3482590646d178854743c23b14afb1410a00a9d83aeebc40a0f0cfaa38ced9a7","assets/disclose-version-BI9mTryv.js":"b02d38e3e31e3f1208c4f7407c2f714fb75f9c205c85f665d94d37d7c5d86705","assets/download-vWOnvHa4.js":"981768cfdc09e467df99d1d0077bac86679420b593c91e2b81fe36e906f44b18","assets/each-board-CJttBSV2.js":"4ae185bd096249f9fa4d3d4b1d3f61e3e56cde0cbb5ad7c649a4551fc6acc72c","assets/en-DiwpxYoI.js":"3b1bf23b41ee342e9d13150c701ac9d387c8c2e5d58afc902eb7290006722334","assets/es-D6lqqOPr.js":"7a5aad3831d6bd64360c836815e23017c282565d0e9c4fee02a9b434256bc676","assets/find-xtVAl73h.js":"aa1169fb4485c9ba0ccb4771309831a92d0b4faa8b563702f709a42b102a5902","assets/fr-CE5T4N-x.js":"af89d6681e9074e374ff3bc56b05067d777f7afb6e1363ae647f77ea45933f00","assets/ground-CYZKMLTD.js":"d071e4781f684a1d4c72825932cafdcabbb3730026e6b8b2f280543d516f3288","assets/ground-DdV9ltsp.css":"5da59afdf36cc87db98b14615cd49df885477ffa8f3f95b5b474eeff3b2b7649","assets/guide.svelte-CPBLoMc0.js":"fce43a1d1806bc662399871c1c0c6788e451a7dac380d2c2822a44958dd3d1d5","assets/hold.svelte-C8Dk7Qu8.js":"3e10413f27689205f98a9327d293798eb81dd9122c1119d805f40e9075e28fc2","assets/index-B7zFNH7W.js":"51cde0943d01b9d939657af68ee421ce7ea9785fccceed4f85037e63304999b2","assets/index-D1o-MwRl.css":"dad5e49b905b8f596c36fa390b763baddc1acf35f7837bd360dea72a1d82e913","assets/language.svelte-Mm5Svu1F.js":"a9931fbaba15c8c36b69013c49c54bdd65b8b9cf10a94b516d329219a8d48785","assets/notes-BkLAeOU-.js":"b5b10e9b8830d6c083d0fd6a6ef3b31a0c25595cd6fa38bbc9c4a0e0eba8abdf","assets/pairing-BmLr4PlF.js":"3a3b5b7b47bb4ed2cb0fc8258680daa14b81b7d0967f7b2d70b133f81784833d","assets/phases-CqAjgqo7.js":"956700e5b0cb88bf61a8da658e7c30622f9a464f7fa3715b355c6fc35afb3f78","assets/plain-BdVVEK8b.js":"e65c6905119b1d0742d070ba5cf909c8ffd2ff77cd56538d21f4a26b89f9ee8e","assets/plan-BR_8Vh6m.js":"47dcf59825f931b9cf879ec85c38e500c75e3936bd37a51f440035bc8c0ef3ac","assets/player-Ctr-rdCw.css":"2f9b9c067c931f78db192189e86a6d6f0e73e3a3c8cee047e63ba82b980dd242","assets/player-D6knvw3M.js":"fb3572812ce794ed6dbcecd7635fc7e2358d684321c15f6ce60a28d281bd7e01","assets/player-eDY2-0iw.js":"0e43c1d477352068e3ef5c70f1e16b58ab209e1210293e4fb2d588d3b3a5e388","assets/plot-BvcEVOZ1.js":"208f9081ed70cf4d53f8c27596825c718fdce69973ef293127a3c0f04f77ef67","assets/plot-CnsZ1jie.css":"0fd9465202f6dfceac29e67c17e5ac9fb1b7ba7615c1bb08782391b791d9f1e0","assets/preload-helper-BQUUbbNx.js":"fdc866086eb8bad8ef0387d4b59cdb01dd1e306f42453ee5e6b8b456102f1818","assets/qr-D15vRg4X.js":"dc5d1a8c7c42148c9ccc3bec037a2ada79d0d693645e20ba58b697f8e8dab47c","assets/record-Dk45hV9W.js":"915b4ab38a55ea988f991ff29496b390a3627f1ac88ad52ab42d0ec98d9a021a","assets/remarks-DwrCh5hD.js":"4ceee490e631d383242010fd4bd865a709d693e0be946049d900992eb78007c8","assets/results-D_nVgeRQ.js":"5ad27e21318ab1eefc052a3f686a521a063480a1386a366a33c2736e02124484","assets/route.svelte-BgRfauT1.js":"364843257d23b8131bf6d0b916e6ea2b4dd922787069d765e05561c675d59f4d","assets/settings.svelte-BFkv6XCx.js":"3264f58211a6f9d8e7681abc53d6c2f57128fbb423ef5a41a4b0470c821ba35f","assets/setup-Fg7vJ7hq.js":"686969b5e21db2e7edd1e98c6f6b187c1b95af14f6a4d3d2be70f35b934ca860","assets/thinking-CSvMUra-.js":"a01c099115d12447dcd00bf1ff63b5c0c9f557cadfdb42f8687a233eb53c48ce","assets/timeline-DWTbfcAZ.js":"30c90b5730d01a284b5c6e333ea8345b18cfd27ca01a20b96cc5868e749fb293","assets/white-bishop-BDXOP_ZU.svg":"a0341e416a85b6bd05020bd9a3615f0d4359ebc776cfd9b2bbf2813ca1b73e0e","assets/white-king-BPFRxpdJ.svg":"3f7f546c1c672cd4939c8577bdb53359517939a6719b4d65fb90c0c3a6e9d0ed","assets/white-knight-DQjoc8hb.svg":"1407efd029cc1a59410db0a6b8c596817914c9c5edae303be7374b3d25dd82b4","assets/white-pawn-BABWKBQq.svg":"c2d652c07fcdb4fb983ad26e45908e631e955bfd84cbae3e93ef5c26f5ad74ab","assets/white-queen-baFt1AQz.svg":"06cd2e8ab40436c3f7f841642e65cabf27c1a554ecdf67e984d778ad74c169ac","assets/white-rook-BpCBUtyS.svg":"c7033117813319e3c477629d337516e051ac2a5438460ad3abf21a8d9bca5bb0","assets/words-DlxFNOfr.js":"17b11deeae92603a5ea4171157bdcd545eaa2c27f842495787bdf92e4f15b11e","icon-192.png":"838415dafedc437e618d32d08525468cc0fdc832bf8b311d376d4dfb3de5525a","icon-512.png":"7faf3903cef657028b908bc60849cf7e39d2c04e7a4f601207db8f05bc4858df","icon-maskable-192.png":"5418f3217631d12a0fffc9a77189cd8f323e9eae2a9463300574d843cf0f79e0","icon-maskable-512.png":"e377d815f184ce54e5ded9b314561b9fca03d3fd0085dfe9ba594263ec03e055","index.html":"7a288f6821e845ae51069123c57c7bdfdeec38737a0d7321f39365e64990d6a2","mark.svg":"480ac5e0eac82fac8fd0e85ffc66a2077c90f4d35a7656d2b2ff96138f858017"};

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
