// The page's service worker: it caches the app's own files, so that the page opens without the hub, and shows notifications where the page
// may not (src/lib/state/notices.ts). It must answer for the files in FILES only: the hub's data never pass through it.
//
// Each build has its own cache, which is complete or does not exist. An open page of an earlier build finds its later parts in that
// build's cache, because their names contain a digest.

/** The build, and the SHA-256 of each of its files by name; filled in by dev/worker.mjs. */
const BUILD = "94f207d16b05d1b7";
const FILES = {"app.webmanifest":"e80ce7a10f85db1bf865dd4c8b0034ba18b3974692a6eaed82d1f652ffb1e27b","apple-touch-icon.png":"8c1aebb921919b295d39564bddf446790e34f3fbd66f8681d4401878c489d39c","assets/Act-CMRCzyVA.js":"46cfcc1b1f7c460c57aca3ebf3736f3285ec12493ffdf66f3cb7097c3cd38286","assets/AddBoardsSheet-DTQ_x_Qu.js":"0eae523f5016d6879990dc51ad873b7d587a73f8401c09aff932ecb5ae626446","assets/AppBar-BuCIr_uB.js":"4419b9850cde3cf784921c0a518f9362749c4c18a2a64fb15c8903da50fb9e53","assets/AuditView-CkoTDSnf.js":"ace848ebb692596cbc303b9e6376e4d7dd3ea035d3a0c863ed691eb48af79919","assets/ClocksView-LW3TXXZ8.js":"38c3f50c35cfea6420e115f158c124cb2578a7329716932b5bb3dfe21350cde9","assets/ControlPick-Dq3xJKnQ.js":"3bdc1927d6589d3af237919eb747c03c03dc77628d6f8e09e746e1048c94af3d","assets/Dialog-CJ-jtrp0.js":"fe4a00be3fb9c785fca219ca472d90f321234afec35138b3bc6de9ec13618c6c","assets/EnrolSheet-CosnMmUo.js":"28fac5460d77313280e756013aea2b25f83e0a89ba6b1c31e23efcc1ef3e024a","assets/EventSheets-BXT3tCMI.js":"17cb6a1ea6f6697debe5eaf8f6a3d791e4920b19a36e2581a6c732b04d876188","assets/GamePick-BVS2KJP3.js":"719ea848c8e4bc404bbfcc0da5510f2d9d81aef24034d7ae44e9c4b94304f642","assets/HallMenu-BdB4-djC.js":"6814fdcd45565a24f0257c52d307960e7dff049cc31152b2e5b87d453effeafc","assets/ImportSheet-OwGGjlbo.js":"36033197eec5fa27a527e6d60e3cd5fde873af3dab1a628cd31f923cf7cf1eb7","assets/ImportSheet-Ss_KjXgl.js":"d99f239002661e605b0c0ce69628a604aa577c7f736a55b551e0cb3766a93ed3","assets/LinkState-G6PDR3eO.js":"7c928ecdfc0267a2dbd304c6d4b38ebef7d7928be3daa4d111b9fcd03898e51e","assets/LoadFailed-D1E80Zg4.js":"f11ec856588a782a4fd1fc9bd1f4b2c7b2991cd2af540eb4a9b1f941b9edf2f0","assets/NewEventSheet-BHns8nRU.js":"5b0672e1442d4573250207c57922fa9c695bd21c0390cc5854a3e96cc643f5ec","assets/NewEventSheet-CO_zd_1l.js":"d5f322c404e7107bb05ddafc5c7a865dd1dc84c4b61c7be4f0da05dbe6066b45","assets/PrintSheet-CuobPMUy.js":"222d02f0cbd78128617e59ee75f87898927b173a653f1322da53ef7e668d4900","assets/Qr-DwPoq4xs.js":"ade51182a27e9bba3ac86ad34669a7c275ea2c87d8b285141c676a574ff02005","assets/Refusal-Gzgr91g0.js":"40af1a654cdc9d043574ee225cf3e6baea503917589022500ad1099af0fcfc50","assets/RemoveBoardsSheet-D3FxwH2A.js":"9c6ee4ebb52a029cc064dd11796f679ed11413fc8b4e5168e0fade6e8de4c3c8","assets/ReplayView-C2zD0G2V.js":"5d856182a4cda387fdc35f07148b53c836c40366475161839eb241e63b6c7185","assets/RoundSheets-BnzuhLAF.js":"8fd6a9fa7c07040596f1d3c330c8b9225c284c5ab84bb66935230d8adac6966d","assets/RoundView-BWxEEsj6.js":"278ff2155dbc70d15a243a6a386ddde2c58a3a155a1749d793ed2f79ca72e88c","assets/SectorsSheet-bLNtLOHk.js":"c291916a32546b853b89da6da5b4ea3adfa32367bf61af7ce8d15ad6922960ed","assets/SetupGuide-Bj9l7Kkw.js":"56ca132e20b848a0f7daf3380eddaebc21d567841d05aca7ac61caef58bbfd56","assets/SetupLine-BiYMDWis.js":"f05a07d87ca57993c1c0d489cd6f1441071cd0da31d68811bc7e5263afb69ee2","assets/SetupSheets-BlY82yH0.js":"636b9dfcb636ff97df76b6fab719a2828b786b0330ff0ce97e2e54bc2400821f","assets/Sign-bkyp3xMa.js":"585b42be75abb08f049bbf705fbf66d91b936ff63f4ab6d79967db9d79b072fe","assets/SoundView-DBTRhhRc.js":"cee722d0b86445180ed3794e1be0c798e3320e423fc620bc3bc7e8ce33a7e843","assets/StandingsTable-BTCFFr7Q.js":"501f42925ef171d6731bc5e29a9953e04e62ac0fe29089e255d540f4b2e0edc0","assets/StandingsView-a0iJgvha.js":"01c8812b2de60e5596e81d694c41ce2525d691552052b22136831d4b7a18d2fb","assets/StartView-DOqvZ7mw.js":"5315b9217139c2d6f88b34273bed2e7f803f0b406192494046f1110418aa04d4","assets/acting.svelte-CVp6ObA4.js":"c51835faf94a9a3a39be8ca2bc1bea1d2d7422d475728eb6c1d6aa94f7a214ea","assets/app.svelte-B3T_GAro.js":"ca4cd7ac6b858993863964a38b509f7c8a8442e20480a64870deb0a363824b01","assets/catalogue-BBXpb0ej.js":"6346610e6c0cfb1e56fe6347c3470b10854daa084efdb96825b9e4c95ffc1bbc","assets/chart-Bt1obnF4.js":"6d4491c03f4079ac242cf02a34244c786e5509b7f057a6d73592a275145a6e3c","assets/clock-test-DVoL2HuL.js":"8c387e950d849b501d566f9a10abc5ef61c41ac00a06f440da61ac72f7fa3f40","assets/control-CM71XdO9.js":"b480e9d483aea2fbca5cb7a85e5a2d2cb475dcd013424a27bb70fbf8a3e1108e","assets/de-CASV6hsx.js":"92cc9d9f0511e5508505601863e19b8beafb38e3f0880807e51d3af5385ee58c","assets/decode-Cb39y0Pn.js":"3482590646d178854743c23b14afb1410a00a9d83aeebc40a0f0cfaa38ced9a7","assets/disclose-version-BI9mTryv.js":"b02d38e3e31e3f1208c4f7407c2f714fb75f9c205c85f665d94d37d7c5d86705","assets/download-vWOnvHa4.js":"981768cfdc09e467df99d1d0077bac86679420b593c91e2b81fe36e906f44b18","assets/each-board-DLG1wXOd.js":"1f3e4f7d3991fc1e6d18fcf636c165bc57933f9f61d235b2e9f4488fa11aec4c","assets/en-LupAf3k8.js":"8546cd2e0bb0a352a1a76d20b84f715fa054683e331b69a2fa9864a6ec1c6fd1","assets/es-DZs_nv2n.js":"90627c4ff0a4f32082e9de352b55b224f98c2ae8a4188106c7ee248d8b020d3e","assets/find-BztDab1M.js":"814990b2cb22af511073ee8d582d37dd33a423d0068897da9790507057bef8ec","assets/fr-qLs8caWO.js":"30d1d95fc5c87d483b1f63ccb5a019671be6d84a2561706542dde340668081dd","assets/guide.svelte-CPBLoMc0.js":"fce43a1d1806bc662399871c1c0c6788e451a7dac380d2c2822a44958dd3d1d5","assets/hold.svelte-CBDS2K9X.js":"e15a93d2c83404229983ae56c6258e4f78306d357175f024a3e3bc1043553cf0","assets/index-BRNMrBof.js":"682c778576266bc89c53f3ee35b7e84554ae0f147cc3db1830a7adc892d885f3","assets/index-DS_Px6mG.css":"81a047df62134810eeebff3ba1281d34f860fa029c9d6a7c9d96f98869b69966","assets/language.svelte-BvqMHKD4.js":"3db38697de625e78819e64bc82ecffb26128fa2006346ac7634616d72d518b75","assets/notes-BYjIQmri.js":"425f3a226626c8562086b0e16f10575ffbd1bff1d807ce42f9833e3baee8b69d","assets/pairing-CHdVih8z.js":"47c0f24816c59f2a6703e199a91a67bf6cf1543a2513e4c4038c1c57bd112fec","assets/plain-BdVVEK8b.js":"e65c6905119b1d0742d070ba5cf909c8ffd2ff77cd56538d21f4a26b89f9ee8e","assets/plan-BR_8Vh6m.js":"47dcf59825f931b9cf879ec85c38e500c75e3936bd37a51f440035bc8c0ef3ac","assets/plot-BvcEVOZ1.js":"208f9081ed70cf4d53f8c27596825c718fdce69973ef293127a3c0f04f77ef67","assets/plot-CnsZ1jie.css":"0fd9465202f6dfceac29e67c17e5ac9fb1b7ba7615c1bb08782391b791d9f1e0","assets/preload-helper-BQUUbbNx.js":"fdc866086eb8bad8ef0387d4b59cdb01dd1e306f42453ee5e6b8b456102f1818","assets/qr-D15vRg4X.js":"dc5d1a8c7c42148c9ccc3bec037a2ada79d0d693645e20ba58b697f8e8dab47c","assets/record-CzWUneW1.js":"6009b0bec340ba47ea7f05f879ea6eaeda769be8512e0ea2c160d1a122434640","assets/remarks-vUIAhmEw.js":"50c7a19f8b932f57d4b7786db99c0a8a17ad7bc87fc1d629dfe121d0bdec3457","assets/results-zssOwgH7.js":"9e1f649d17572043bff3fd71e9556eb1e32201658c14717d6ce5fc3a50a8c272","assets/route.svelte-Du0x-_dd.js":"36c09d58a4b9cd5c80e276fa06aa9b41435847e2b0aa86332949124b9ed15a23","assets/setup-DYM_yk_5.js":"37474906703256f745aa24e1d3e7928d76fc43cea544c70c85ad555edf9b8e22","assets/thinking-CSvMUra-.js":"a01c099115d12447dcd00bf1ff63b5c0c9f557cadfdb42f8687a233eb53c48ce","assets/words-BQga8_eF.js":"b59f779a513d71d839df6d8c9ecfdcd3c4d62129ea22b0aa4e95a489cff2939b","icon-192.png":"838415dafedc437e618d32d08525468cc0fdc832bf8b311d376d4dfb3de5525a","icon-512.png":"7faf3903cef657028b908bc60849cf7e39d2c04e7a4f601207db8f05bc4858df","icon-maskable-192.png":"5418f3217631d12a0fffc9a77189cd8f323e9eae2a9463300574d843cf0f79e0","icon-maskable-512.png":"e377d815f184ce54e5ded9b314561b9fca03d3fd0085dfe9ba594263ec03e055","index.html":"adf32af6abe37272a3b73c1cf81848de3c961098fa13cc4bd50fff295c580393","mark.svg":"480ac5e0eac82fac8fd0e85ffc66a2077c90f4d35a7656d2b2ff96138f858017"};

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
