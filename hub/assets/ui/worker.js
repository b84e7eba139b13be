// The page's service worker: it caches the app's own files, so that the page opens without the hub, and shows notifications where the page
// may not (src/lib/state/notices.ts). It must answer for the files in FILES only: the hub's data never pass through it.
//
// Each build has its own cache, which is complete or does not exist. An open page of an earlier build finds its later parts in that
// build's cache, because their names contain a digest.

/** The build, and the SHA-256 of each of its files by name; filled in by dev/worker.mjs. */
const BUILD = "03c7475b64de89b2";
const FILES = {"app.webmanifest":"e80ce7a10f85db1bf865dd4c8b0034ba18b3974692a6eaed82d1f652ffb1e27b","apple-touch-icon.png":"8c1aebb921919b295d39564bddf446790e34f3fbd66f8681d4401878c489d39c","assets/Act-CMRCzyVA.js":"46cfcc1b1f7c460c57aca3ebf3736f3285ec12493ffdf66f3cb7097c3cd38286","assets/AddBoardsSheet-ChwZ9Evz.js":"6693b78b2cf4a5f509366c950dc90a711104dd2c11420ebf0ee9a35f5220952c","assets/AppBar-DJMaJ0BY.js":"8991846d7db58723be27701e8941aa3546f1f62345152f2f052cb43aa56f53e2","assets/AuditView-BDwh-hR9.js":"537c6aab735a28e65fe07f4961712efc8aee7f1d9a05d51444e380a7eba64a95","assets/BroadcastSheet-BN5a4iFK.js":"835fba63da4efc9a427e57f18d5cd0207d98bbe01b0e9993be6b340d0fe97a0a","assets/ClocksView-DSSDGNDw.js":"b17d21ef96e0cb804d873637e406d0301f1efa796c0d26503820313f069a726a","assets/ControlPick-BY1DTEhg.js":"2210e26c489e210c9576e3f4e32437534e1291c5c0d0f99cf656fc30c1503c9b","assets/DayGameSheet-CoieDaUL.js":"0eb140f453150dee3354aeea796489a94fc35a32eeaee3c8d9eb0e50ccd4be1d","assets/DayPhaseSign-BiYxFUnO.js":"503051af511843f76df66b70c5eeddb1e890386f791013e7d81da709d9892c23","assets/Dialog-CPN3lv9r.js":"10aad9a06386648543878ddafd3c144d63d5383c18e10603a27938ea171970b9","assets/EnrolSheet-CcejmYor.js":"94f8f6374e7b26770844c80b7ffe5065c2ef4f2fa7707fd0b273d4cb12d91452","assets/EventSheets-oUuAd5Jo.js":"34e0eb1d8c147c14b318d6ef3596f7ac8494831798580d1ee4fff2d91d360b01","assets/GamePick-1kLtitML.js":"fed6f8c9a0261f5b2f206fd217d650411c32223b2c784ba4a31cf6416ff3d589","assets/HallMenu-Bhq9pfoU.js":"bbf538730595750ceb9adc568a6475fda67af4434a399ccdd98e46b27ccd2935","assets/ImportSheet-Dg3vb_m0.js":"6727ec2f7c1a20598e62cb24a7e6eba2f93ab2fa8f04e245edeb7bad38f0baab","assets/ImportSheet-O93lb_iY.js":"b3b5501e26cb53e08a51a671db72768cf35cd45a88c328056545e87af186c413","assets/LinkState-D71WbDvb.js":"968535f962258516e7bbdde3d06e1ae4e0b93bba890e31b498258aaca262da40","assets/LoadFailed-BcLMjIVv.js":"d1753b3f960577555d12ca61a4476259cc64f43b46a55a268f102686a7fdd2c7","assets/NewEventSheet-D9ZtQ8c2.js":"14cbf7a0ddd4f97cb7582f5dd355989c74db01b6e7399b13f8770cd7870b0f2a","assets/NewEventSheet-DdUSFXrA.js":"89ff94bc34e32d6f48fecf94467211d46aa09dfa1f07bab0ba22341a6c7b1024","assets/PrintSheet-CjjFETjZ.js":"6ae25864376809d02185b178bf845136219deb9abdac48a7010f6ae5bc43321e","assets/Qr-DwPoq4xs.js":"ade51182a27e9bba3ac86ad34669a7c275ea2c87d8b285141c676a574ff02005","assets/Refusal-Gzgr91g0.js":"40af1a654cdc9d043574ee225cf3e6baea503917589022500ad1099af0fcfc50","assets/RemoveBoardsSheet-Cqqm5jDF.js":"475eea154fc780117468ca9a10aed4e04cd69f61e04c3ee1520b909d8580fe17","assets/ReplayBoard-DnlumPO3.js":"48e035acd4af4a107b6fb041976597f5068eba221655e6cd92cdf051362407c8","assets/ReplayView-CbU9euDA.js":"d69be81f18c80e09de38ef0bee956523e633b3282bdd7ecd6181c71326fa8d65","assets/RoundSheets-C75r8TAX.js":"fc5d076600187f16cddeff201b1fb49693c8a9b0728f0149747fa600435b23f1","assets/RoundView-nZOqo04J.js":"ec0ecf999efffd011dae139e0a4dd5a1575d3ee41f502ec73c0d58793dc9e9fc","assets/SectorsSheet-BAbezBNl.js":"600b0b4a85fbc4a3dda414d91612a3c450c08acb57b7fc178c7af22e5ea87cec","assets/SetupGuide-HlFn9Wkg.js":"16f6985f0d9350b85f9f50c681b8e4eebd7831d0f31298ccb4dcbd85d04a89fb","assets/SetupLine-DnAZxUBv.js":"0e1ad1beeaad68cd153fa2f14b16b146be9c4eb48ded9cebfe737a67c8438e27","assets/SetupSheets-_0FEDwSW.js":"73d60cf365d2d67e52a3930fccf15f02023a8ae67f673437a807d54e08bbbd42","assets/Sign-bkyp3xMa.js":"585b42be75abb08f049bbf705fbf66d91b936ff63f4ab6d79967db9d79b072fe","assets/SoundView-7eO3rz-Y.js":"1ce67c9be110a643845534f2205321324096554b5397a054fadcdfbb5da04942","assets/Sprite-BYNRP5-t.js":"d0909d535cdc39f728570ca72cab4e734717388055183786cb222a221e0f66eb","assets/StandingsTable-c9F_FsPd.js":"911c04d6224643a07c9720064e2d609059dec8c13c1b6ae6fa1a9aaf1fe21aee","assets/StandingsView-BJ7-i5Fn.js":"1f78bfa4096a3a400554f887ab77602abd0e5f6d899752ff266bc4abec1a83ff","assets/StartView-CtUr39zT.js":"df316ecf67319d62638ace6c8b674593890d057a5ef3880ffe4ed4209fbbe1f9","assets/acting.svelte-BWUn4HxH.js":"29d15773b337725d76067f6d27e64e5ba011e911caba1f87e6b8f3f20d7488fc","assets/app.svelte-Cy1Ovm1B.js":"dc90a9b2293d4079d73a6b6e61bc443063304e3bc8da129e6419102284608949","assets/archive_pb-TbFojIT7.js":"be2350ea397eabf742c78cc6f0aaeb75ece19cf9b27cc5634e13194999bd859a","assets/awake-rlVLF5IO.js":"b82ef4efde54f9266eb59abfa7e169e5056c0ddffd2308d5e6e5b3d6902bb73f","assets/black-bishop-BEJxz6w6.svg":"b4343211dfa30fd8fb54f02bb6c088dfd64d586699503c7e4b38248546cab986","assets/black-king-CuVr95xE.svg":"324683f02ba4eb5e24cc9b8a9059d6f95d47bb1fff6c2ef0994d247ade9bb23f","assets/black-knight-DDE7OGzF.svg":"c9c51d6d11c2e3993bed1678cf744a205cf56f23c9d13df5af7ed664243e1c1c","assets/black-pawn-BVh5P20C.svg":"fbf212c48bae17e1438369893b8b053f5a22128301514168a7961d984cb02257","assets/black-queen-uBM8KzKr.svg":"11989a32b8925061ddc6dcc63f9706cdef1f0575161345fb5050d7bba703605e","assets/black-rook-DVdehaQU.svg":"6408c626e971e5cc09cbebc2f8c7b6e5db1ffe29ae612476ff474d53d0103c5b","assets/catalogue-DQlxf-PW.js":"51e22d45052de10c4ebe6735d8eb47b1efe97308e578740bbfb08027acd240b7","assets/chart-Bt1obnF4.js":"6d4491c03f4079ac242cf02a34244c786e5509b7f057a6d73592a275145a6e3c","assets/clock-test-XTU2CwBE.js":"b80e3c934de036e61dc2a07e36f053eaf699b1f3a85ba0820a71f1422c7a1107","assets/control-BXtZeq1k.js":"aea62ad86e52a5b8e051457ff75b180f4079a9f3a423f7f6439c1cbd816f6ad7","assets/de-By-Cugus.js":"7e48656fa600f167347ddd30197c8360c9d9d700b0abb57e8301daf2ef52bbc7","assets/decode-Cb39y0Pn.js":"3482590646d178854743c23b14afb1410a00a9d83aeebc40a0f0cfaa38ced9a7","assets/disclose-version-BI9mTryv.js":"b02d38e3e31e3f1208c4f7407c2f714fb75f9c205c85f665d94d37d7c5d86705","assets/download-vWOnvHa4.js":"981768cfdc09e467df99d1d0077bac86679420b593c91e2b81fe36e906f44b18","assets/each-board-CJttBSV2.js":"4ae185bd096249f9fa4d3d4b1d3f61e3e56cde0cbb5ad7c649a4551fc6acc72c","assets/en-DiwpxYoI.js":"3b1bf23b41ee342e9d13150c701ac9d387c8c2e5d58afc902eb7290006722334","assets/es-D6lqqOPr.js":"7a5aad3831d6bd64360c836815e23017c282565d0e9c4fee02a9b434256bc676","assets/find-gQs25NnH.js":"b1e2917d1856590e284b4321cf6ee08624ac9c6a37ca319661c7224861585d82","assets/fr-CE5T4N-x.js":"af89d6681e9074e374ff3bc56b05067d777f7afb6e1363ae647f77ea45933f00","assets/ground-BJDkDFZy.js":"d071e4781f684a1d4c72825932cafdcabbb3730026e6b8b2f280543d516f3288","assets/ground-CQUDqBuY.css":"b25e67d5e7b1c323797489f486a410e284f5d56e0cebbcf0394ae5984a1f27bb","assets/guide.svelte-CPBLoMc0.js":"fce43a1d1806bc662399871c1c0c6788e451a7dac380d2c2822a44958dd3d1d5","assets/hold.svelte-CvVTyHVy.js":"e6c3d060d9b08cc7527594d5912d8d1da816f9e0d09dbbc3003d7f67c795657a","assets/index-BOgTlsjv.js":"c13cdaac9aa5271a7877ee66cd7978bd0514f061045e2069e4f294de63fbcc76","assets/index-D1o-MwRl.css":"dad5e49b905b8f596c36fa390b763baddc1acf35f7837bd360dea72a1d82e913","assets/language.svelte-Mm5Svu1F.js":"a9931fbaba15c8c36b69013c49c54bdd65b8b9cf10a94b516d329219a8d48785","assets/notes-tah-mC4r.js":"a2b8a2b9c427b4806052b9edf97576d70286d05dca72bd79ba85383c1b2a9ad3","assets/pairing-BmLr4PlF.js":"3a3b5b7b47bb4ed2cb0fc8258680daa14b81b7d0967f7b2d70b133f81784833d","assets/phases-CqAjgqo7.js":"956700e5b0cb88bf61a8da658e7c30622f9a464f7fa3715b355c6fc35afb3f78","assets/plain-BdVVEK8b.js":"e65c6905119b1d0742d070ba5cf909c8ffd2ff77cd56538d21f4a26b89f9ee8e","assets/plan-BR_8Vh6m.js":"47dcf59825f931b9cf879ec85c38e500c75e3936bd37a51f440035bc8c0ef3ac","assets/player-CNf0olIC.js":"c99de06b7d197b0f4091899cdeaaf22c548c28d97d4bb80546e0667abdde21be","assets/player-Ctr-rdCw.css":"2f9b9c067c931f78db192189e86a6d6f0e73e3a3c8cee047e63ba82b980dd242","assets/player-eDY2-0iw.js":"0e43c1d477352068e3ef5c70f1e16b58ab209e1210293e4fb2d588d3b3a5e388","assets/plot-BvcEVOZ1.js":"208f9081ed70cf4d53f8c27596825c718fdce69973ef293127a3c0f04f77ef67","assets/plot-CnsZ1jie.css":"0fd9465202f6dfceac29e67c17e5ac9fb1b7ba7615c1bb08782391b791d9f1e0","assets/preload-helper-BQUUbbNx.js":"fdc866086eb8bad8ef0387d4b59cdb01dd1e306f42453ee5e6b8b456102f1818","assets/qr-D15vRg4X.js":"dc5d1a8c7c42148c9ccc3bec037a2ada79d0d693645e20ba58b697f8e8dab47c","assets/record-CNn2NcDT.js":"68b78277394e677516bd5cb60262364f47190f4311988c81e5445487c0157771","assets/remarks-CV_S9tIe.js":"ce852a658cfc13e29d7e1851de59e3090a4a306b43624d7d19676b415ecc9fc9","assets/results-D_nVgeRQ.js":"5ad27e21318ab1eefc052a3f686a521a063480a1386a366a33c2736e02124484","assets/route.svelte-BXbyllge.js":"2c8db0a01f83d69cb7f6e04f3b7a340f1e1362ee8f476e2482e3830886a4b40d","assets/settings.svelte-BFkv6XCx.js":"3264f58211a6f9d8e7681abc53d6c2f57128fbb423ef5a41a4b0470c821ba35f","assets/setup-Fg7vJ7hq.js":"686969b5e21db2e7edd1e98c6f6b187c1b95af14f6a4d3d2be70f35b934ca860","assets/thinking-CSvMUra-.js":"a01c099115d12447dcd00bf1ff63b5c0c9f557cadfdb42f8687a233eb53c48ce","assets/timeline-D4QrohKn.js":"7529fe94e5e9361413084bd0273b607f30a7b5e8c20977e6b6ce90accc0b9f3c","assets/white-bishop-BDXOP_ZU.svg":"a0341e416a85b6bd05020bd9a3615f0d4359ebc776cfd9b2bbf2813ca1b73e0e","assets/white-king-BPFRxpdJ.svg":"3f7f546c1c672cd4939c8577bdb53359517939a6719b4d65fb90c0c3a6e9d0ed","assets/white-knight-DQjoc8hb.svg":"1407efd029cc1a59410db0a6b8c596817914c9c5edae303be7374b3d25dd82b4","assets/white-pawn-BABWKBQq.svg":"c2d652c07fcdb4fb983ad26e45908e631e955bfd84cbae3e93ef5c26f5ad74ab","assets/white-queen-baFt1AQz.svg":"06cd2e8ab40436c3f7f841642e65cabf27c1a554ecdf67e984d778ad74c169ac","assets/white-rook-BpCBUtyS.svg":"c7033117813319e3c477629d337516e051ac2a5438460ad3abf21a8d9bca5bb0","assets/words-DlxFNOfr.js":"17b11deeae92603a5ea4171157bdcd545eaa2c27f842495787bdf92e4f15b11e","icon-192.png":"838415dafedc437e618d32d08525468cc0fdc832bf8b311d376d4dfb3de5525a","icon-512.png":"7faf3903cef657028b908bc60849cf7e39d2c04e7a4f601207db8f05bc4858df","icon-maskable-192.png":"5418f3217631d12a0fffc9a77189cd8f323e9eae2a9463300574d843cf0f79e0","icon-maskable-512.png":"e377d815f184ce54e5ded9b314561b9fca03d3fd0085dfe9ba594263ec03e055","index.html":"0b754f24705dd7d7ab74cdffa56ea4da8c1879e1a708657b7b3693fe62a7d8d7","mark.svg":"480ac5e0eac82fac8fd0e85ffc66a2077c90f4d35a7656d2b2ff96138f858017"};

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
