// The page's service worker: it caches the app's own files, so that the page opens without the hub, and shows notifications where the page
// may not (src/lib/state/notices.ts). It must answer for the files in FILES only: the hub's data never pass through it.
//
// Each build has its own cache, which is complete or does not exist. An open page of an earlier build finds its later parts in that
// build's cache, because their names contain a digest.

/** The build, and the SHA-256 of each of its files by name; filled in by dev/worker.mjs. */
const BUILD = "8373410cd438032f";
const FILES = {"app.webmanifest":"e80ce7a10f85db1bf865dd4c8b0034ba18b3974692a6eaed82d1f652ffb1e27b","apple-touch-icon.png":"8c1aebb921919b295d39564bddf446790e34f3fbd66f8681d4401878c489d39c","assets/Act-CMRCzyVA.js":"46cfcc1b1f7c460c57aca3ebf3736f3285ec12493ffdf66f3cb7097c3cd38286","assets/AddBoardsSheet-BfYzOBBY.js":"41d9bfbf98ed85d6df1cd7e973ccfbb94f32aa88bb8b0de6cea458a8ec8e1719","assets/AppBar-B8lTz0wd.js":"6842d2cf029eba4ec5c82451fa7ec57a663bb95a4e81efb2be9faa3a0b55a7b0","assets/AuditView-e86hOapf.js":"5329b5d23e81daca6d11f33e93af8eab87496bed42166dd7bbff926b49a38514","assets/ClocksView-CpL5CD7y.js":"7641a5e6fa93f160b9c76f8d50db099e45341ea92ef063e2b2a9c40099c4d08f","assets/ControlPick-DWPalaXe.js":"7e4445ec2a20a2353fdfa90050084039e27c61e281fce4f9f1df769de6e37786","assets/Dialog-fhFcerOu.js":"f2b0a7544459d12ac9ec127f0d98c1db1631560b4ee631041ea127b659fa3bae","assets/EnrolSheet-DYXeuWFg.js":"e845934d3660d25aea5a86782574f2ab862be393550f372aea545d45c3603da2","assets/EventSheets-VaJwlHif.js":"132ab76e483f5d6bde8e5e7ffddd89bc7782fdd85b3c1b11b6590d2d1a362e79","assets/GamePick-Cy_wrXg_.js":"78d3b5090400eaf35083011ff7633291dfe2d0d311da8d0d31f8363ec07abe64","assets/HallMenu-C2IpUhNM.js":"cabf68562f1a4fde42a69217182638a99af991a59cdc30f491795d382af89995","assets/ImportSheet-BMsRBY0m.js":"dd45a77d4880d32642c1d1064ce936a80308a16a878df406d14a8cfd960b81bd","assets/ImportSheet-atPwI10r.js":"ede915825e583ada5d816747e43c8979df5a8660653c3be62b88ff0c5130f64d","assets/LinkState-lPpkPRHN.js":"28e97981fe9e25fb84c9d69b1866d3bd045438a8fd4a75927b015afabd4adc1d","assets/LoadFailed-Cayb3pzm.js":"c072f15c101edb6bff51cd0092ec052dc294beb1c9954c4d11471a0439209797","assets/NewEventSheet-B69u-FkT.js":"4d22b9b6ab903ccf3b22b0b3c2efd3fcbda020b8098455d9c72fbc17f9c17ba3","assets/NewEventSheet-BAZnora7.js":"3975b7566a605c8479e109f965ff2c79e9193b890c4f5a21f0b0e4d66e18518c","assets/PrintSheet-D9iGSLsd.js":"4fca92162433eaef7aedda3286304408c1433cf0fc832e9522ee9a78c6846b5d","assets/Qr-DwPoq4xs.js":"ade51182a27e9bba3ac86ad34669a7c275ea2c87d8b285141c676a574ff02005","assets/Refusal-Gzgr91g0.js":"40af1a654cdc9d043574ee225cf3e6baea503917589022500ad1099af0fcfc50","assets/RemoveBoardsSheet-6ophQzw-.js":"60d353d8296c01ce97565f8c5bbaed11eef5e757a12ff12d24df7f6f42b15b4d","assets/ReplayView-BA_mIWok.js":"897568513adc45d1994261a42ccb0e8d8c46a97f7fc28ac2c8f00789e187189e","assets/RoundSheets-DSl-HI42.js":"35ca9ed9e9d95e08070721121ae0130181e1d596446dc56d358252f6e7e92418","assets/RoundView-kQntMhdz.js":"b871253cc2cb839767403a4d5cd8ecd8ba537a14edf4eb7fc6a9c6b18ff5b704","assets/SectorsSheet-BdfJfIqQ.js":"4af74ad73ae312b5aa78147b5520d17072b27d3f57db114926381f243a9045fd","assets/SetupGuide-CtubFQcm.js":"7fc6ec7815b9e6c83c319ac4817004c3ce223133ae11738a3cc04cd1dd35f88a","assets/SetupLine-Bj5ORX5f.js":"9f731b9f4fc6ebf4db46790fb2b1326a1021af687c16153e2b96a54f838637e6","assets/SetupSheets-D7H4-gNc.js":"b25c015bc2fa37e387b53cfe611f5558fc9e6616cc3084ed642bb3be45ae9868","assets/Sign-bkyp3xMa.js":"585b42be75abb08f049bbf705fbf66d91b936ff63f4ab6d79967db9d79b072fe","assets/SoundView-B7PRlACa.js":"9c9bbc591a4dbf8a694b7e4d2c6a143748878d9df32744695f76244932b3416d","assets/StandingsTable-BXk9TwCW.js":"224ad32298562f2ac87cce9f6ef2ee4d4a7b5499246d8376c5a21e46ee68ba42","assets/StandingsView-Dw9237m0.js":"079a1df7d0e3d3ea369c385d08ff5b29657c3dd9f609cc6c9ff96ecf092e8cf6","assets/StartView-Dl2zYvNC.js":"9dceee11ef20576ef9e921b4ae0c27bfe41f58de7e0a35c56db12fba3a413727","assets/acting.svelte-DhXhVvwJ.js":"4d4d796273502bfb2e3ac2ec81f12007eaa620143c42854de1f12a2849f62162","assets/app.svelte-BB7h0jbC.js":"cd21dc8230670c25a99d1d2d8bb5c7c0c29676279788efda6aedba339e3002eb","assets/catalogue-Ccm_ewen.js":"124366d5bce5cc3036b14d6829db3359e7986ec3e316dc7f17575785238537e8","assets/chart-Bt1obnF4.js":"6d4491c03f4079ac242cf02a34244c786e5509b7f057a6d73592a275145a6e3c","assets/clock-test-EEOco8Nx.js":"fccb06af27ccd80ccd78612dc7432c19c00c8c153faf17e74b8dd0aabca598c8","assets/control-BljCTRyk.js":"0b3904076a73b126ba103979e548f0b841088b8d4f56bfbf06c2965b611328c6","assets/de-D6yWP4wR.js":"b2262abf5c271eb8397aa2caff49da7e5b32c7a5b76fafcb70c603f4136c5005","assets/decode-Cb39y0Pn.js":"3482590646d178854743c23b14afb1410a00a9d83aeebc40a0f0cfaa38ced9a7","assets/disclose-version-BI9mTryv.js":"b02d38e3e31e3f1208c4f7407c2f714fb75f9c205c85f665d94d37d7c5d86705","assets/download-vWOnvHa4.js":"981768cfdc09e467df99d1d0077bac86679420b593c91e2b81fe36e906f44b18","assets/each-board-BTQprO8u.js":"e0cebbb7bc3e20cf590b999c1c8ab4ce50065199367ab37437e6147ea541292f","assets/en-Bi7cl40_.js":"a6b2d6a22b8132d3bd70671744369d80aee480ed07baf31d8a820eeac471c175","assets/es-MiER3gug.js":"82e411b3a8c46bae82c768267bb15ac94c491fb982ae3af447896315f50d8312","assets/find-BimnRsEJ.js":"434c5453d4a65d96a5a5f66b21e48c3d050f4f3851569d4ab51faf0c743c2478","assets/fr-CTOl9lPP.js":"b8046847734193e615db83a19d3aa9e0a17a4414e59fb251d91959ef27b618f2","assets/guide.svelte-CPBLoMc0.js":"fce43a1d1806bc662399871c1c0c6788e451a7dac380d2c2822a44958dd3d1d5","assets/hold.svelte-D0uvwXYG.js":"77d1f45aa450c2a5da0a6eb6e1378922ec504bf0494ff862297614c309257267","assets/index-B9E2weyX.css":"9bf5c9902355e22a7b2e7fa6f2b06ecd0aa4bc2b4597838d6d1716479c93fa78","assets/index-CIzh-508.js":"6cf2304ced8df023e69f70eb57398ff611322b19d2b11a97dead0daa30d7ab08","assets/language.svelte-Bkg1pYgD.js":"349b58b47210799be6b4e34d3afb1c832626031d5233936c108c8f92fb6c2e18","assets/notes-CXydi1ui.js":"311b10732c8a332f263321fdde339d843493f28e5dcbe5c971a2fdcc482d823d","assets/pairing-D2IGMeZz.js":"3df0206655fc95a804b046d5454f5546f57693dc9600d4b4fdb99baeb61b0dae","assets/plain-BdVVEK8b.js":"e65c6905119b1d0742d070ba5cf909c8ffd2ff77cd56538d21f4a26b89f9ee8e","assets/plan-BR_8Vh6m.js":"47dcf59825f931b9cf879ec85c38e500c75e3936bd37a51f440035bc8c0ef3ac","assets/plot-BvcEVOZ1.js":"208f9081ed70cf4d53f8c27596825c718fdce69973ef293127a3c0f04f77ef67","assets/plot-CnsZ1jie.css":"0fd9465202f6dfceac29e67c17e5ac9fb1b7ba7615c1bb08782391b791d9f1e0","assets/preload-helper-BQUUbbNx.js":"fdc866086eb8bad8ef0387d4b59cdb01dd1e306f42453ee5e6b8b456102f1818","assets/qr-D15vRg4X.js":"dc5d1a8c7c42148c9ccc3bec037a2ada79d0d693645e20ba58b697f8e8dab47c","assets/record-DB4mFSfE.js":"907fa6f35cecbb1c5369effaa13ca1279a5c1835c16d634d3988ed4391e8adc2","assets/remarks-CRuV9XrQ.js":"0a363bd81479d76a613554f4aa1027021c3e4a6859361c99426788d84a282bc7","assets/results-BEBLSbPo.js":"3eb352b6b3d2e856083c34d47c4e7f9c7afa3e568a48157ba95a4abd805739f8","assets/route.svelte-DP73IBDO.js":"ea2744246e3910e39d22d43fb7cb204eb1e6ad77dd94e9062014e0f4e85491c3","assets/setup-D3irgMsd.js":"421b98d2ca36b2b68927bb1c8a772d852236c715bc638f2fc09a713022240f56","assets/thinking-CSvMUra-.js":"a01c099115d12447dcd00bf1ff63b5c0c9f557cadfdb42f8687a233eb53c48ce","assets/words-Dpys3UaR.js":"c12bc751fa8d57267db0c5da5bf3fdb2f7c7e076ce69c72cc9360d81835eba9b","icon-192.png":"838415dafedc437e618d32d08525468cc0fdc832bf8b311d376d4dfb3de5525a","icon-512.png":"7faf3903cef657028b908bc60849cf7e39d2c04e7a4f601207db8f05bc4858df","icon-maskable-192.png":"5418f3217631d12a0fffc9a77189cd8f323e9eae2a9463300574d843cf0f79e0","icon-maskable-512.png":"e377d815f184ce54e5ded9b314561b9fca03d3fd0085dfe9ba594263ec03e055","index.html":"61226e51584202e2dce7a37c752a9ba854b92d4a38f6ef7639a637f16529192d","mark.svg":"480ac5e0eac82fac8fd0e85ffc66a2077c90f4d35a7656d2b2ff96138f858017"};

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
