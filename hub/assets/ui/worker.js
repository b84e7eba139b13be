// The page's service worker: it caches the app's own files, so that the page opens without the hub, and shows notifications where the page
// may not (src/lib/state/notices.ts). It must answer for the files in FILES only: the hub's data never pass through it.
//
// Each build has its own cache, which is complete or does not exist. An open page of an earlier build finds its later parts in that
// build's cache, because their names contain a digest.

/** The build, and the SHA-256 of each of its files by name; filled in by dev/worker.mjs. */
const BUILD = "03b2d6aa393be1f4";
const FILES = {"app.webmanifest":"e80ce7a10f85db1bf865dd4c8b0034ba18b3974692a6eaed82d1f652ffb1e27b","apple-touch-icon.png":"8c1aebb921919b295d39564bddf446790e34f3fbd66f8681d4401878c489d39c","assets/Act-CMRCzyVA.js":"46cfcc1b1f7c460c57aca3ebf3736f3285ec12493ffdf66f3cb7097c3cd38286","assets/AddBoardsSheet-CJ39JFa9.js":"ce689730db1504288497498a374b90357f20c9797d671f9b4eebafe561fc575b","assets/AppBar-7gsGNa1H.js":"e6d244b207bafc59b67963058efe7dc3245861608232f50a28c49baa2d0cbfb0","assets/AuditView-Co8ud3zE.js":"3f32db053e721ed789201667485ce27ac1eda2a8913b43f96935e15c80f63221","assets/ClocksView-DgpgIoTX.js":"a9c896c1f66cb793ca3c63db4f2b89dc36d8eeb5bfdb6a6c03c1534226911ea9","assets/ControlPick-MStvl4Td.js":"768fded17e44bb8c90c428a0175585c017d09b9b7e481f7454d9441385ab52bb","assets/Dialog-Bu-3oAQf.js":"5280f2cefe0295adb8a88419551b64c8367686fdd250d5cd8c4a91062f4aab27","assets/EnrolSheet-Cb1oIdK0.js":"a0520877b2f327e92300885bf193b7c59c86e7f3a6a6524a4f9482a437730a11","assets/EventSheets-_6ouPwSO.js":"38e1237127434961730faa5b8b3493048d91b474963cb3e2844c422192edee76","assets/GamePick-DA3orLLJ.js":"4fe6a4d01058747585b91dc82739151af9533b48f308b692e861aebe85ce9ed8","assets/HallMenu-DCi_0dlq.js":"1072b153a57c7f805d1dc843fa4b69af258b01a127494d052e1482f6d2e39557","assets/ImportSheet-D67RTu2V.js":"5f0cb703258bb4f5032e38802bf8c96e332823121776a27174b992a6f52d494c","assets/ImportSheet-SuAyaaz6.js":"21287b42667afc8206bd0974238374062690e601c5effdf3a23234178ed52f4b","assets/LinkState-7tXGikFA.js":"c47fe882f064c084526b3849f0555f116e265fc331bd77c90be882f71c3f7cba","assets/LoadFailed-BjuNK-Al.js":"a30e098b4e493f6697addf5e3599d561d15c10ac4a6499962d015e94a15914a7","assets/NewEventSheet-BR39Js3n.js":"4633ea9a2f6f1396d037593f7a7040050c2a46f2eeb34124a6e8c197d989a5ed","assets/NewEventSheet-DlHIxxz-.js":"c8a1d34c574ce886b4129ca43bd9cd6d56fd80922ed37ac41a11f14a9330a5d3","assets/PrintSheet-YNKVS4hW.js":"11028dbe0616bc554a3dcccbc97def5db69544329d5b5c81a83509613ac7e0cf","assets/Qr-DwPoq4xs.js":"ade51182a27e9bba3ac86ad34669a7c275ea2c87d8b285141c676a574ff02005","assets/Refusal-Gzgr91g0.js":"40af1a654cdc9d043574ee225cf3e6baea503917589022500ad1099af0fcfc50","assets/RemoveBoardsSheet-mvLqLSON.js":"f7459ddcb3786ade60819b95c1d8f44805a0cd9547c793621a7073e4338f0ac3","assets/ReplayView-DkPBj9ur.js":"8dcd5cd4ea2b7d9d6234a31e0b0f042f811bce7e23f5053cff22f7bec9f3046e","assets/RoundSheets-C_zMXnQF.js":"fcd03aba3a91451150a368be96f835d0ebbd7e6c383e6b0bcc9da8ccbf72d671","assets/RoundView-DiNKWUi0.js":"193d97d6f16a820db92966d26da44a1bd24b66f7d89d296cf905342a27a2c40b","assets/SectorsSheet-Ke4wxONc.js":"d2e32d17f0ee3352c6aa9a6018b4572e56baa0b3316bbfdbec1b94adb1abc494","assets/SetupGuide-oNG458wR.js":"a753b93c719e510cee1f35569daf2953202311797f5a32757d073bdc1fb56e1f","assets/SetupLine-Bkb_O4Bf.js":"1b16716cc9e6bb689448767a1a7bbc77d9275daced3f99e21cf328dc58c1a8b2","assets/SetupSheets-CaXrDyF3.js":"944895890d2b4aa39aabf653c877fe4a8248ba98c17d2e8f8ff4bd6e3e544b18","assets/Sign-bkyp3xMa.js":"585b42be75abb08f049bbf705fbf66d91b936ff63f4ab6d79967db9d79b072fe","assets/SoundView-BklnvDBu.js":"1823030b673c23c294300a2e68b58fac4b864759971099ed8002e883eba11c71","assets/StandingsTable-DYMqfB32.js":"bbe61ef29da98be002b6eaca20b4598f4b5ecd4ab86566448854e59340173f39","assets/StandingsView-CjBIt_St.js":"4df4d56af5bdd1236e1899ed58ce1772544e58b86cfa26603e05aa0c17fbd4f4","assets/StartView-YFWMckmV.js":"71912b7d1a2afa2165188436b21754618ee0e3a0b7064d551305e286caeb2f29","assets/acting.svelte-DVmuzAZw.js":"2d9338ae9c07ead4ab3ab8ef066a342d976cd1f752faa63a9202448e52c8284c","assets/app.svelte-BzbyGIAv.js":"44b7f0a161d52f9f15cf9153d638fd9c5a8666fbed595a6f0572f1f80c1b291d","assets/catalogue-ESpZ6erA.js":"ee6ead9d2fed1e7cd9a4279007a90fe898c78d8789f5d85abb49470318810b83","assets/chart-Bt1obnF4.js":"6d4491c03f4079ac242cf02a34244c786e5509b7f057a6d73592a275145a6e3c","assets/clock-test-Dr0saKna.js":"4de3b02a00515220394f4d7218eea04ae9c817296dd118467d2911dd1e8786fe","assets/control-CaR5_LZc.js":"9a5fac0d3cb7509b20584886ec299c45f9398f2e10171250f90cc583af5d9638","assets/de-_tghxqGY.js":"bd091f230bcb486ef7c8404d88280a3301229cef6d5826531accb041746f601d","assets/decode-Cb39y0Pn.js":"3482590646d178854743c23b14afb1410a00a9d83aeebc40a0f0cfaa38ced9a7","assets/disclose-version-BI9mTryv.js":"b02d38e3e31e3f1208c4f7407c2f714fb75f9c205c85f665d94d37d7c5d86705","assets/download-vWOnvHa4.js":"981768cfdc09e467df99d1d0077bac86679420b593c91e2b81fe36e906f44b18","assets/each-board-B8Pk0IWI.js":"9171465973e547c9ea091e91da64c992845a642d072aaf652a92e26333ce744e","assets/en-D_VmkyzS.js":"e8a9dfe39cd877eb40942f283f4d4e0d53dfa8123e58e445919d97e6f739ed51","assets/es-CvZij3Iv.js":"54ea2e3bc95e1698630e6966046aab8d16d600fc499fe3047d154aa25e411faa","assets/find-Cn3ScT6I.js":"36093ffc94add7344f98e496d8b5e445a10a1b7c24f9ef49c3af8fce55ef97ab","assets/fr-ADbxiy0E.js":"5bcfdc86d37e89d6d4bcf4b297e5b6da87d68e9c51a10d7ce47858d5d41a5532","assets/guide.svelte-CPBLoMc0.js":"fce43a1d1806bc662399871c1c0c6788e451a7dac380d2c2822a44958dd3d1d5","assets/hold.svelte-Tj4z3vxo.js":"8ac6f544b32134b30406c6a22e0e3cd6d211b464bcc07bc6282c70eb9e07a56e","assets/index-B__jAssd.js":"466e7257703b309354605fd8243d383d60d17685093141b54f99064898bb739b","assets/index-DS_Px6mG.css":"81a047df62134810eeebff3ba1281d34f860fa029c9d6a7c9d96f98869b69966","assets/language.svelte-GvvcqrL1.js":"a9b25144623bffed36333981ffbc0d8a51ff90fc972b40add8cfa5277bf7a831","assets/notes-DYs1VGON.js":"715c0434ddde0c768c428d43df4362ccd5469049c957c2a934c3c759859b5790","assets/pairing-mJfi7Drz.js":"c77fd42f213281770253c37de25bf1a6ee80f3b473cb0bf5e61841a70af04630","assets/plain-BdVVEK8b.js":"e65c6905119b1d0742d070ba5cf909c8ffd2ff77cd56538d21f4a26b89f9ee8e","assets/plan-BR_8Vh6m.js":"47dcf59825f931b9cf879ec85c38e500c75e3936bd37a51f440035bc8c0ef3ac","assets/plot-BvcEVOZ1.js":"208f9081ed70cf4d53f8c27596825c718fdce69973ef293127a3c0f04f77ef67","assets/plot-CnsZ1jie.css":"0fd9465202f6dfceac29e67c17e5ac9fb1b7ba7615c1bb08782391b791d9f1e0","assets/preload-helper-BQUUbbNx.js":"fdc866086eb8bad8ef0387d4b59cdb01dd1e306f42453ee5e6b8b456102f1818","assets/qr-D15vRg4X.js":"dc5d1a8c7c42148c9ccc3bec037a2ada79d0d693645e20ba58b697f8e8dab47c","assets/record-dQXmErQz.js":"fc3692456a25fed8667c1fa97c11af0ec180fd12e529a767b55fe911848d4684","assets/remarks-qGgO_0Pz.js":"c69e1170890f78d2de4631efaa441084dd6fbaf2778b0c5c27855d6b22193372","assets/results-Bx_IDvBe.js":"302874faa1d8b2edc44ecb23dd29bf8f4d4678a14131f5cd5e5b08a12d763c80","assets/route.svelte-UNEW5W6G.js":"e5dcf59fa3b81e226009bfa098fd097b906b967d9ba91c30c2900a75cd6fe7cb","assets/setup-CJx6lQSN.js":"014ca821fab4debcab84ce3a987335d99607a14b93b0733d9a6d551f5b2769d7","assets/thinking-CSvMUra-.js":"a01c099115d12447dcd00bf1ff63b5c0c9f557cadfdb42f8687a233eb53c48ce","assets/words-DJoKblBG.js":"35bf4d141ed2e7d11ca7934cb67184aed4f2518b1c5243f39068fa4b8c4c47c2","icon-192.png":"838415dafedc437e618d32d08525468cc0fdc832bf8b311d376d4dfb3de5525a","icon-512.png":"7faf3903cef657028b908bc60849cf7e39d2c04e7a4f601207db8f05bc4858df","icon-maskable-192.png":"5418f3217631d12a0fffc9a77189cd8f323e9eae2a9463300574d843cf0f79e0","icon-maskable-512.png":"e377d815f184ce54e5ded9b314561b9fca03d3fd0085dfe9ba594263ec03e055","index.html":"e8db85e15fc51f87ff0646b357c1bbfc9e0e810a79a936bed5943e5917c71e73","mark.svg":"480ac5e0eac82fac8fd0e85ffc66a2077c90f4d35a7656d2b2ff96138f858017"};

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
