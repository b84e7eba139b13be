// The page's service worker: it caches the app's own files, so that the page opens without the hub, and shows notifications where the page
// may not (src/lib/state/notices.ts). It must answer for the files in FILES only: the hub's data never pass through it.
//
// Each build has its own cache, which is complete or does not exist. An open page of an earlier build finds its later parts in that
// build's cache, because their names contain a digest.

/** The build, and the SHA-256 of each of its files by name; filled in by dev/worker.mjs. */
const BUILD = "3b04487408773d1a";
const FILES = {"app.webmanifest":"e80ce7a10f85db1bf865dd4c8b0034ba18b3974692a6eaed82d1f652ffb1e27b","apple-touch-icon.png":"8c1aebb921919b295d39564bddf446790e34f3fbd66f8681d4401878c489d39c","assets/Act-CMRCzyVA.js":"46cfcc1b1f7c460c57aca3ebf3736f3285ec12493ffdf66f3cb7097c3cd38286","assets/AddBoardsSheet-BgVQmnj5.js":"1074b9b009d2bbf8412d42f37f29f25189d1ad4971abdab6e0c8a209739ce32c","assets/AppBar-CbvR_E8u.js":"a023543f5930d471ec64c28703413f06e76057bbfe87ab51bfce2a9f98897429","assets/AuditView-E-d1N4X3.js":"e20bd5bf0e82175b9c69c005e3b08c7f6e7b71a7bd8c7dce2d78675b1bfbcae2","assets/ClocksView-DD5kgudV.js":"755859b71e11a17a2a62c80a71200cadc11529401da8354a475757e6aed63b32","assets/ControlPick-C_9k9Z85.js":"a5b5a630f068ed668447088231b3936f4875f00a01adc78be762fe8b941a5897","assets/Dialog-CfsK9zvf.js":"8e6683055e285f39cec5324a354b93c930afb02ea556c08230de4f54653811c5","assets/EnrolSheet-CLUcSxX4.js":"2c62217881263eeacf36cef9183697bf32125d397e61779838067b73de634239","assets/EventSheets-Cjjemzq_.js":"42e1a675624763e9960f71add00e420ab292510b1b667362edc5e1d785f417d1","assets/GamePick-Bs10S5RX.js":"1ff1883c9b35f9d907ae5339a669ac5fa2354f115aab915290b6552b32c81e45","assets/HallMenu-DX2tLRTu.js":"e4898cdd900b4fcb3d94289a7371ae24622a0264c04aec786ad2baac476636e5","assets/ImportSheet-AXVQrVfu.js":"fb5f6cbd5ed20f6473a9146f8e93c42fa415519fc71c544af26eb403dfcd4c97","assets/ImportSheet-CwglN4QG.js":"bbbf36200f9a319322f8fa8cefe80499fe0bc78aed74e19cd3b4f523b41c1352","assets/LinkState-B5Oq6Z8t.js":"25d6c4c51a5bc1b24ad9bc05b40935abed060030cdd1d8d7b346f7d4a65a42a3","assets/LoadFailed-C1dDCcX7.js":"ab5060dbbb7fdb9bb3cfcc25e9dd7c74fe23c040d8305555289166d9790dff26","assets/NewEventSheet-nop22xy8.js":"fc21268393adadb176eeb9ddd63c878da8f7e7969555b08c2df9273e4e3a5b33","assets/PrintSheet-CCstp5tT.js":"d53db119e99661192172b7eb93313064f19bbbf59024c813485a2fa104d4a137","assets/Qr-DwPoq4xs.js":"ade51182a27e9bba3ac86ad34669a7c275ea2c87d8b285141c676a574ff02005","assets/Refusal-Gzgr91g0.js":"40af1a654cdc9d043574ee225cf3e6baea503917589022500ad1099af0fcfc50","assets/RemoveBoardsSheet-DshQwWw6.js":"d0fec1f6c5894fc6bcb8349bd0f3d813af39cc8090711de061e339d0c082fc1d","assets/ReplayView-Lw4Bmde3.js":"5123fa48e33e8765ddbd7cdbc9f673adc49149af638c6d6f9fbeaacca7d8bf41","assets/RoundSheets-DB3PhmDt.js":"9edf99f3552af3b56c5471d1b7952f31cc48c0707723697dda4ed8602ec9d8c0","assets/RoundView-C2iDziwy.js":"fa579460db2432b07f991fb459c8e5dc9b99c452bd3263fbb5d610d42c3e9612","assets/SectorsSheet-B2z3NUrA.js":"ff166bfbd539765c336797c53529134981549a8a77f45714979ddfb1c0f477a7","assets/SetupGuide-DrWmNqiJ.js":"e5e8264ede371fbe8706d0a4bc93ded8a0a8a15257a8f23ce1d5c158058e28d1","assets/SetupLine-bQBqgXiv.js":"ba7c61fab3fc94a34345768d51262fec1ea33caa722bde247ba218e1def9b2f0","assets/SetupSheets-DEHIPdog.js":"5e420411f6e8a9f4376cde1c5086c0a5d49c964d81b421a2fad181825390033f","assets/Sign-bkyp3xMa.js":"585b42be75abb08f049bbf705fbf66d91b936ff63f4ab6d79967db9d79b072fe","assets/SoundView-DN5bSv8a.js":"4cb5a828da2b470ce0e877bbef368f3fe085834e8e56333655bae9c75620238b","assets/StandingsTable-itrlOlVe.js":"321d6753ec0898bd9765944ce9154ac5282d66fefe81178502d55160322e7cdb","assets/StandingsView-DJ8Jws8n.js":"bbe4c8384429f8432192733b7fd5e36307bb625e1da7ab615d12e97b73fe3739","assets/StartView-BZ2NhHZK.js":"edd310fdcff2788f6d0010f2b9c79c0e8fcdb8768f4a8a6b59f3f3861393a5fd","assets/acting.svelte-ZmuWsO5i.js":"a6d41bf3e314b23c53561220b9382d67397c27b3e574f02e8efb08b94e2ceafa","assets/app.svelte-C73Yj5Ua.js":"c6687eed594eb0f5423ced5b2e9c0b6fae814455731207961ec8f595f8e7fbb5","assets/catalogue-GXrhFQeV.js":"539f046f278967c4eab994f0ccea0b7c1daaf6b763d551d2356333fd0da755db","assets/chart-Bt1obnF4.js":"6d4491c03f4079ac242cf02a34244c786e5509b7f057a6d73592a275145a6e3c","assets/clock-test-DsrZbfjR.js":"76e1c2393a3b8a5a8877a3c1a300ecef0e5613235835a7d74dab6b936649f790","assets/control-BajUsOms.js":"188fbb274bba3177697d2bd82c4db23758206d12d8048c99b9904c772ae94a66","assets/de-B2Gs0J-y.js":"b6555718ddd226e79d1d22d67a18da6614bc8cc2ca3c0506787c77e735ebbf56","assets/decode-Cb39y0Pn.js":"3482590646d178854743c23b14afb1410a00a9d83aeebc40a0f0cfaa38ced9a7","assets/disclose-version-BI9mTryv.js":"b02d38e3e31e3f1208c4f7407c2f714fb75f9c205c85f665d94d37d7c5d86705","assets/download-vWOnvHa4.js":"981768cfdc09e467df99d1d0077bac86679420b593c91e2b81fe36e906f44b18","assets/each-board-DNKHGp_Y.js":"ee1175b6898b75de2834a48cc44b720fe1ae2bebd217ba779e6d154660d3ef73","assets/en-CEZFpJ04.js":"6fee94b9e00339219a263e64cee018123f910044d48dd7c02ae4fc5a7514d750","assets/es-Bk83GjiN.js":"b9f1f332a4f17dcf9b66dbd93a8a5535cdfa23892a29073e36359e2516f715bb","assets/find-BJgpJAqy.js":"1facd6ef9c128675ac95f625c16600cd2f3524a7d2f91f056d177be49736a5ea","assets/fr-Bs5ZbgPG.js":"b7dd69493a72d5f926022c8b551708ea47f99a428ee154fa377475b8c59c16ab","assets/guide.svelte-CPBLoMc0.js":"fce43a1d1806bc662399871c1c0c6788e451a7dac380d2c2822a44958dd3d1d5","assets/hold.svelte-BZdVEjw1.js":"225ecdec100d7747412fd2e49a5fb5d1e8e7650ad7f9c19ddcb4b875eece434b","assets/index-B9E2weyX.css":"9bf5c9902355e22a7b2e7fa6f2b06ecd0aa4bc2b4597838d6d1716479c93fa78","assets/index-wGYDxRL8.js":"0d6cdeef0543db95a9d48256dd7b7b85411c318e704d01a20c6cdf6601609130","assets/language.svelte-B_81A9t-.js":"b464f32a4f7cd3aa85a256aff49b93d528e9a1a9acd8caa257cf372543842944","assets/notes-CPa7voLG.js":"0dc5fd15af663890c9f27d7360c3f94023603b28b1e5e843eb9fa5aff59fefa7","assets/pairing-DnAGbQtN.js":"86c5d5ff21dad83c8da9c998c5559ff23582c92f1a776bb060821d9d44636729","assets/plain-BdVVEK8b.js":"e65c6905119b1d0742d070ba5cf909c8ffd2ff77cd56538d21f4a26b89f9ee8e","assets/plan-BR_8Vh6m.js":"47dcf59825f931b9cf879ec85c38e500c75e3936bd37a51f440035bc8c0ef3ac","assets/plot-BvcEVOZ1.js":"208f9081ed70cf4d53f8c27596825c718fdce69973ef293127a3c0f04f77ef67","assets/plot-CnsZ1jie.css":"0fd9465202f6dfceac29e67c17e5ac9fb1b7ba7615c1bb08782391b791d9f1e0","assets/preload-helper-BQUUbbNx.js":"fdc866086eb8bad8ef0387d4b59cdb01dd1e306f42453ee5e6b8b456102f1818","assets/qr-D15vRg4X.js":"dc5d1a8c7c42148c9ccc3bec037a2ada79d0d693645e20ba58b697f8e8dab47c","assets/record-Bhza1blD.js":"5529c2c7583876627cdc56274508c2e6fc377156c7213c5978e47942668c3b18","assets/remarks-CiS8Go3E.js":"74aad5b28c65ad283727d4c2c7057e46cfa3981bfe93845e506b44d7bd31b374","assets/results-DxeB8KET.js":"53c8b7eacd2b13760b28a7be50bbb10b9b3d584bb6ec5afad1567be67a759b29","assets/route.svelte-yDgqPqVN.js":"23f5b012a4d812d1635ef7eb055af50d9dc5f5cffc8d49df48469a25fce5fafa","assets/setup-DJ2k46X8.js":"164d01a5784500bb40333511e77c950fdbe82bbc3d959e493e54db7f9f11811a","assets/thinking-CSvMUra-.js":"a01c099115d12447dcd00bf1ff63b5c0c9f557cadfdb42f8687a233eb53c48ce","assets/words-ZlP15Fyn.js":"5547f5d6d70854f7cc8f919e317fa6cf95d8631d6dfa8e0b42f88a974cd4b812","icon-192.png":"838415dafedc437e618d32d08525468cc0fdc832bf8b311d376d4dfb3de5525a","icon-512.png":"7faf3903cef657028b908bc60849cf7e39d2c04e7a4f601207db8f05bc4858df","icon-maskable-192.png":"5418f3217631d12a0fffc9a77189cd8f323e9eae2a9463300574d843cf0f79e0","icon-maskable-512.png":"e377d815f184ce54e5ded9b314561b9fca03d3fd0085dfe9ba594263ec03e055","index.html":"2bd56da393a54c531c4e73cf5c5e3ff60bd0c2b76ac35941a4a1e07720b4675f","mark.svg":"480ac5e0eac82fac8fd0e85ffc66a2077c90f4d35a7656d2b2ff96138f858017"};

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
