// The page's service worker: it caches the app's own files, so that the page opens without the hub, and shows notifications where the page
// may not (src/lib/state/notices.ts). It must answer for the files in FILES only: the hub's data never pass through it.
//
// Each build has its own cache, which is complete or does not exist. An open page of an earlier build finds its later parts in that
// build's cache, because their names contain a digest.

/** The build, and the SHA-256 of each of its files by name; filled in by dev/worker.mjs. */
const BUILD = "d86321384aaa5ec7";
const FILES = {"app.webmanifest":"e80ce7a10f85db1bf865dd4c8b0034ba18b3974692a6eaed82d1f652ffb1e27b","apple-touch-icon.png":"8c1aebb921919b295d39564bddf446790e34f3fbd66f8681d4401878c489d39c","assets/Act-CMRCzyVA.js":"46cfcc1b1f7c460c57aca3ebf3736f3285ec12493ffdf66f3cb7097c3cd38286","assets/AddBoardsSheet-ft3A6DNd.js":"f0c12bedbf3e4527ff707b7c3dc5e8982d0423577577319491b485848223e402","assets/AppBar-DygKHukB.js":"28160769407d681c680745446761f867b0ee4bcf3e0223ec49af115d50489f48","assets/AuditView-9c98OpRB.js":"a69debd48f9e35644a68182054bc4efc631fa097509e3650d9c0cec53cb285f8","assets/ClocksView-qbbVa_cf.js":"b4a916b3d48a30bb1c8de49d7990f12a06cf6f71f28b913310bc39bb1b2e4102","assets/ControlPick-DfkdAO-6.js":"2fbc720305f7031d40146e21b0939ccfda3982b9e19165ac9693d6174a280b70","assets/Dialog-CRi0A6Wq.js":"51bfd904749a790c2547c5dd043cb96cb18cc006edcb331312df3a82ce3c2d0c","assets/EnrolSheet-B2OQ6k57.js":"cad8bc662c1545dc18689e8e0ecded6814fab22ebc6ae832ed7bdac99647bb09","assets/EventSheets-DY8VEP4-.js":"26f27122c1784ccca05f46ef8d73018b28bee6e32fe15eee6a32ff995f85512c","assets/GamePick-CKXgQ8_I.js":"1356feee558ee597ab09e2262eaa5a004bda66a1adc58f32d2e9f729d3932742","assets/HallMenu-BXV69fdi.js":"cb6577ea27c5d8a92d3d56e4ec805805417d96bc40ab41f4c2b7e99144e46f2d","assets/ImportSheet-CLdLCzrf.js":"f2bf2e6a4dcd00b82f4669008ecf4d4e76e4c26f12e886a24d35753ccda4d301","assets/ImportSheet-TbB2Bodt.js":"1321f2555fe30caf31361785d8eea291435a4e3ef874c5a368043e882c51129b","assets/LinkState-ChD83m4q.js":"f8ecbb73c2099108dd48a8b4697cac54905c5f87921704f4ef609fae12d53f90","assets/LoadFailed-BPLnhIVj.js":"b69c1e83d5f3f18c83ca0552abfd0c84d33aa83d5619df98205c7b932ba6bb5f","assets/NewEventSheet-D-H50BaK.js":"5514765fd6bc94aec9b7beec1c54e6f6ba724c94fe00fff8286d5be9fe9266d1","assets/PrintSheet-WvTENUvw.js":"dadd3fd50c967abebff50d0ee288856e4bbe7e31b10de9723612e3469891a915","assets/Qr-DwPoq4xs.js":"ade51182a27e9bba3ac86ad34669a7c275ea2c87d8b285141c676a574ff02005","assets/Refusal-Gzgr91g0.js":"40af1a654cdc9d043574ee225cf3e6baea503917589022500ad1099af0fcfc50","assets/RemoveBoardsSheet-HoY5KD-Z.js":"16e0b213f4094c6ede51f5ca8bc3e3a9c1dfcebecd843192eb3a134def2368f8","assets/ReplayView-DfQ9p_jK.js":"3124d98a1c6bdf238f4bd5c2ba69e1af8e89cc131f9cf9820af1307c256c1068","assets/RoundSheets-317-GFcw.js":"bd0fbb89c020c0f206a4ee706e11bee018fedad5efd7230b6bd9a718f1d8c83a","assets/RoundView-Cfpe1Vyb.js":"7ea7355885e16f0308621c382f94d5909b34b8d3ddc9b15b339db7cb573bf3f0","assets/SectorsSheet-B0Q_opAc.js":"d91d9393d66e3d6e0f99c4e4d2da0f8a74471aa88daf5ecff80ebd5bdefe14ae","assets/SetupGuide-JXnWV_Rf.js":"53c4d697c6ba90f66150a1e7683dc6d147675d119a4cf0de7ec28b642608f4f1","assets/SetupLine-B7HFgbC7.js":"bee6abacde184b83057397134caab0c97f22b4a7cc9d9926910e4a3c8500f692","assets/SetupSheets-Cw2Ci4zK.js":"0114df30a63dac1cd54b92f89c3e88de29cab19e2f8aee74b73e009e249d0a09","assets/Sign-bkyp3xMa.js":"585b42be75abb08f049bbf705fbf66d91b936ff63f4ab6d79967db9d79b072fe","assets/SoundView-DukBCXv5.js":"a0f87ac6b3d85aaf53281cecc6752d9266faa2f46e7bc580a097cc2d221dc51a","assets/StandingsTable-C4dVQ0-R.js":"e13878fee67816786cd9f06988f2fb2c5eb9a615bb97a6176f54479fa5eaf3c8","assets/StandingsView-BhVlycnn.js":"632d34d35a426ab0fd8c5a30ca7e9f37dd648d314f28fcf9349a27a3089b4aed","assets/StartView-DinXXepQ.js":"6fa6a0733a7ebffbd15ae1f4eeac5020e8b5581d430c4004570db17b316fc2f6","assets/acting.svelte-Ahtjh4Jq.js":"f71e48eff5125d6d7a88158496fe3dea7696f070d0f194625a45b768786b4486","assets/app.svelte-wgT7rx85.js":"e49b9b37d8b97839eeef9eb3f9783ea8823e9099c5dc3e54c3f9d15fed0ca524","assets/catalogue-CBeTRpHK.js":"4c9992db71eac387f07e502e821b94ea6dd8d16f7a8946b6efcc6768f972cb84","assets/chart-Bt1obnF4.js":"6d4491c03f4079ac242cf02a34244c786e5509b7f057a6d73592a275145a6e3c","assets/clock-test-DMjlKQp2.js":"c395ef323af023327d2507fb649fd470d9dbc4b39ce2653fe061c6736c3bada1","assets/control-D9Z8Qiq3.js":"95e3ea0df2767b56ae4fc7c87201938b3973fe71e08a4e52621c5d9422bbc4a2","assets/de-CFTZdHJ0.js":"c5d90408e42ec421731f94a6b9591e95713ba57aef0d185041f0c5af62a584eb","assets/decode-Cb39y0Pn.js":"3482590646d178854743c23b14afb1410a00a9d83aeebc40a0f0cfaa38ced9a7","assets/disclose-version-BI9mTryv.js":"b02d38e3e31e3f1208c4f7407c2f714fb75f9c205c85f665d94d37d7c5d86705","assets/download-vWOnvHa4.js":"981768cfdc09e467df99d1d0077bac86679420b593c91e2b81fe36e906f44b18","assets/each-board-DMiiqKZ5.js":"4a4378ce31ae0dd48598019812e35264ae313da716cd1ff1eaed7d32fdc9fca1","assets/en-CpOX_tvY.js":"421b13c39646135d9c32d7182a543ba9db93cda075b59afcb5b52ba35f4bf85c","assets/es-BUouMOiX.js":"88b86932d39523f36850a230a670068959d56e48bf3dda38b3b6899fd76093e5","assets/find-BPBYkVEv.js":"6418b5496f051a6f43dcf98dd34a05ab7da9bff6d9b0cef384efe71d0def3d79","assets/fr-CjrY7LvG.js":"9249a7a07046b8319c8f34b77d6c596214145175b520ec529b2ebeb23f070d52","assets/guide.svelte-CPBLoMc0.js":"fce43a1d1806bc662399871c1c0c6788e451a7dac380d2c2822a44958dd3d1d5","assets/hold.svelte-AQoDvd1a.js":"94360e95c663748d50e10b8a0c79eb5f4f2951558f2337c1c1ac2f515b42d84b","assets/index-B9E2weyX.css":"9bf5c9902355e22a7b2e7fa6f2b06ecd0aa4bc2b4597838d6d1716479c93fa78","assets/index-DUpp5cWY.js":"866042825552d487e534c7fe0055599fd951343379949982dfede2afc9d462dc","assets/language.svelte-BcTjaV8w.js":"90019bb20528986f1153c747bb80f2ac30ba4c813e06205593887cf7e0b2ad9e","assets/notes-Dt7GyDY7.js":"56815c9fc10399615e583688afdddee226a856033a453e56b7e9d6c65aaa200c","assets/pairing-BV-bcYXD.js":"469f9e47d4cd07cf1f8e5d5e1f57287b35b271261806d01ac7a8e07626909767","assets/plain-BdVVEK8b.js":"e65c6905119b1d0742d070ba5cf909c8ffd2ff77cd56538d21f4a26b89f9ee8e","assets/plan-BR_8Vh6m.js":"47dcf59825f931b9cf879ec85c38e500c75e3936bd37a51f440035bc8c0ef3ac","assets/plot-BvcEVOZ1.js":"208f9081ed70cf4d53f8c27596825c718fdce69973ef293127a3c0f04f77ef67","assets/plot-CnsZ1jie.css":"0fd9465202f6dfceac29e67c17e5ac9fb1b7ba7615c1bb08782391b791d9f1e0","assets/preload-helper-BQUUbbNx.js":"fdc866086eb8bad8ef0387d4b59cdb01dd1e306f42453ee5e6b8b456102f1818","assets/qr-D15vRg4X.js":"dc5d1a8c7c42148c9ccc3bec037a2ada79d0d693645e20ba58b697f8e8dab47c","assets/record-MeBvIRvT.js":"b098d66ba14a1d99e3b7994ed673ef941a9d047ee5cfe5649c5094fa189d4898","assets/remarks-B6czWYov.js":"ffe595465adef57369787953ecff69f024997df51046f64917c0a9a6307a7994","assets/results-DBOmT5JR.js":"e6442b75a6b6c7e4a823e9a63eac6d01f970f7843be3d7814d682011ab04fa80","assets/route.svelte-CHnu0ApX.js":"e5cddfcda99d65678cb1168ed2e458f9f8a9a45cd7e5af988c3847f462eed58f","assets/setup-CqSFxMum.js":"f4c98967c9e0262fcf5c24ed48472aed1ac50fac34e3717bb0ddba6319d0e111","assets/thinking-CSvMUra-.js":"a01c099115d12447dcd00bf1ff63b5c0c9f557cadfdb42f8687a233eb53c48ce","assets/words-ogwf87Mf.js":"0ce544b3531c1931306c74e0a6b3bbc6bad32442e3a84611aa173df76480255d","icon-192.png":"838415dafedc437e618d32d08525468cc0fdc832bf8b311d376d4dfb3de5525a","icon-512.png":"7faf3903cef657028b908bc60849cf7e39d2c04e7a4f601207db8f05bc4858df","icon-maskable-192.png":"5418f3217631d12a0fffc9a77189cd8f323e9eae2a9463300574d843cf0f79e0","icon-maskable-512.png":"e377d815f184ce54e5ded9b314561b9fca03d3fd0085dfe9ba594263ec03e055","index.html":"f4cef37a080f404542a87c8ce8161513498fcf95cfc5b958fdd58386753ffc4a","mark.svg":"480ac5e0eac82fac8fd0e85ffc66a2077c90f4d35a7656d2b2ff96138f858017"};

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
