// The worker of the page. It keeps the app's own files, so that the page opens without the hub, and shows notifications where the page may
// not (src/lib/state/notices.ts). It answers for the files in FILES and for nothing else: what the hub says of the hall never passes through it.
//
// The files of one build are in one cache, which is complete or does not exist. A page of an earlier build finds its later parts in the cache
// of that build, because their names hold a digest of their content.

/** The build, and the SHA-256 of each of its files by name; filled in by dev/worker.mjs. */
const BUILD = "d9953ceb74eb6599";
const FILES = {"app.webmanifest":"e80ce7a10f85db1bf865dd4c8b0034ba18b3974692a6eaed82d1f652ffb1e27b","apple-touch-icon.png":"8c1aebb921919b295d39564bddf446790e34f3fbd66f8681d4401878c489d39c","assets/AddBoardsSheet-B_J1BJc_.js":"c9216b8d9ae95c24e033c8788c5f2f9bef2a35c75ec095a2ab1100844c21fba6","assets/AppBar-BOaKgTtX.js":"3eb1efcd3637d1ca4755e3629f5d3d6f73abe2b2cfdf55d6d2d1ef47e58a9e29","assets/ClocksView-DC-d5PTw.js":"ebe93c3731fe4d1c40bcd546136be9e619bda26d2c49b0731b1ecfa23e35a43c","assets/ControlPick-BbDaPMCz.js":"ad2e13eca401147a39b8c1e4009f9140324c56b927f31547f6af02c5b0aad559","assets/Dialog-NB1dBHLR.js":"b9175139e0bd45e4ab064c3d91046a788ec48fbbbf0ee2d7c3205cb9d5b7c9d3","assets/EnrolSheet-BPV39pES.js":"fb095fb425b4ce94cbe3c2dbc3036ad1d27f6191612f2ea1702226468f39275f","assets/EventSheets-BocOCQFv.js":"1f875fc006ad52d6b466e08619779055a5e1618b32555b19c2f80581427a6412","assets/HallMenu-DATgtDss.js":"20c8362731029bb210c4a810f1da777a37e8116dd884e7d2bd471c3dd29e726b","assets/ImportSheet-Can59Mpz.js":"e52e8c5e02bde4bccbe9ef010f964f74a0ff58054870a68042189e52fee0cbf3","assets/ImportSheet-muc63TwD.js":"d80d55cceef924009b1980dd778dbf34bd7832f59f62390ffbe113269aa00a59","assets/LoadFailed-CmDH1_Xw.js":"8df25c271238c3b158deffee369bdfd05c1779955982bb59d85492de998bc8aa","assets/NewEventSheet-BSekrRwX.js":"1eeb54e615eae3e8439f46bbad04d87fcf20b88cb7fd4f0196c083f12e3d2bee","assets/PrintSheet-C6au6TFI.js":"558b8395f4e491440547abcbfeb283df0bd75d31c343b1ce3ea66a36c67aade3","assets/Qr-BDYeY96J.js":"cbea60994b5943327e8ef2319b24d495763d0c47f45c8d00f2afcb087f9dffa7","assets/Refusal-BOU3Z68z.js":"ab3fe6f00837964bcb2c11b140cd2eb69f2f005dfa18b27c6d1e97fdb474626c","assets/RemoveBoardsSheet-BQdiFIzJ.js":"b316108d1b62e29b6107d2641f5006515635641425714c4b53523d1f5e6c0f71","assets/RoundSheets-CZLYv_Ru.js":"18af3c206f40db3b1589727e1f33ea7b23bc04341e0615871c9dc14b0bf6238e","assets/RoundView-DLjS4QSN.js":"07e5302f45bac063233e95197723166288c78817b2ec5d2cd04144e012df8123","assets/SectorsSheet-DkHYizMT.js":"49074252ae3cd4b1b7567612c2fa2690e3fa30bd93ae0b32f944ea619016b997","assets/SetupGuide-WI4WMNvZ.js":"155bbea8e1fd0135091c400c03f6b879048569f0a25b2ebdd76013b739b52421","assets/SetupLine-D4W-eqFG.js":"254bffec3f8cff527b497c36ec861c5bfd693413105b24e0d3f609626dd442e5","assets/SetupSheets-CyQFPumz.js":"7fc197462130380514cdf9165b7835ff0f0a9beb9f937f7b6599bb309a665fe4","assets/Sign-_0RFpY3Q.js":"83033b331ae4b2dbe103db2f4ce10979688d931e0ec9da2d079d8839a60eba37","assets/SoundView-Dxt6Lr4d.js":"d28b698ee316dd87a183ad2447246f01a9d085238ab8ad79900f724a1502369f","assets/StandingsTable-DzmUbQ0x.js":"3bc1bd49c253d71d6357b8991160066cd271338f6dcc1700731be401f9bffb83","assets/StandingsView-BzzkWGXj.js":"d58e26ababcb9a54a745e96aee81f452afe33cf62bceeec72adaaaace8bb8f0e","assets/StartView-Dhf498Ov.js":"85a1f0a5f2b67d206d55449e047f4ad66de3f1ea7b73d9ab94bce9eb671103fe","assets/app.svelte-Ckm6cydk.js":"b073e0ad115fa458752563472c16b2a4b7f1965e5b0c693108ba9bbc5e890936","assets/chart-Cp9pYTV4.js":"7840358a51e61f0c4815097b9eb0a22346a03038845433e8719dc98d11d89f35","assets/control-0xSixQyn.js":"6727a544e54067b222536d9b74271a5aedf0de69d489a7a05a52c5beba2c60c5","assets/de-rSaOeMRn.js":"c77607bab71a42f75145e12932516d554d1e2758e233dce201f8f92e2cbdb2a9","assets/decode-Cb39y0Pn.js":"3482590646d178854743c23b14afb1410a00a9d83aeebc40a0f0cfaa38ced9a7","assets/each-board-HAvvnTms.js":"6704797a5ab28886be0d430c7d6f44740154b4fc1b93621eb12ee5b70aecd3be","assets/en-BJRjCVOM.js":"7cf374d12b4a3904b29e4d264e82b8bc04db3cc48cb1ffd217da7c6d2544ba35","assets/es-Cs7nq5Pi.js":"3c514eba9fca58232de4dec884378f6a5a6de0d59babe9441172c75e7860b415","assets/find-B2ijjXqM.js":"770f9dbd5391a9548c1df551a3b6a970ff63b439bdf89ae1b5c004356506dd55","assets/fr-B279zKgU.js":"4cbbbfbd35d18ffc51dced614ce51469a13ae2383906f3a476660decfa64bf48","assets/guide.svelte-Dlv18H_6.js":"f18e0194208a7e0295be889945429ebf27241eb92a2d8af6e45ee0f750001c16","assets/hold.svelte-BUmxHpOu.js":"f9af0ec15c3e3f6a56e5f5d2dce3fb02e6a8dafeaf292aa3ae6b28a1a33b2fe0","assets/index-CFyplsQ1.css":"21f09a3b6e26dcaca8ba6cbca3bbd1ab83d86b3c3562b7a603410cfbda57f6cc","assets/index-DcNQUMrE.js":"4384984eb7af6d1060fda6937a1bef15d2237c55430161b828a33b7ad146b7bf","assets/language.svelte-BeS1rgYI.js":"fb0b4353419a72b30fb805402235e597c7dd71a3416b8a93710aa2f2213a3901","assets/pairing-46k7VOQv.js":"31b55119d6a785ffb391c6409b7ebd8b35c6166091f84d8ddc5e09ba5d6fd423","assets/pairing-bXjHcQuZ.js":"12e1e63eee049531bda38023f75bdabd9c6893919246307ef1fc434bce055fc9","assets/plain-BdVVEK8b.js":"e65c6905119b1d0742d070ba5cf909c8ffd2ff77cd56538d21f4a26b89f9ee8e","assets/plot-CD2inagw.js":"2823ffceac4ad594703c799462565954cc873469e0a89cb7f99c062f33c5b6bd","assets/plot-CnsZ1jie.css":"0fd9465202f6dfceac29e67c17e5ac9fb1b7ba7615c1bb08782391b791d9f1e0","assets/preload-helper-DgtOMnQW.js":"9e88e4509dbff6572d6716945c453290735d226cb18edc47fc1d337da8945845","assets/qr-D15vRg4X.js":"dc5d1a8c7c42148c9ccc3bec037a2ada79d0d693645e20ba58b697f8e8dab47c","assets/registry-B1INsJo1.js":"092da2a14b4ef4606cbad59bc28251401272658b4f07be51f1457280e17832d8","assets/results-CGnUwSK1.js":"34a546a7b58a7fd91aaff4938e9c576617e21346127046793ecca319a7cf31b7","assets/route.svelte-CY818d7k.js":"608d9df33a46ba4e416f8fcadeb94b7c10c26b98aff18ac617317de21774f43c","assets/score-CYhW3CNa.js":"560ac66604c29b7ff292fb22683977b45ad508aba1df02ab66ad6666be47aa06","assets/setup-XfawNu27.js":"2345a9462285cb08136c8433b49eab9db49263d701ccb1d180b4dd6095a2ce29","assets/why-T1LA6XJj.js":"48c3b3953687a68986c7cf6027d5f2efe9ba1de71b685e3abc219a5f392cd1f0","assets/words-C0Y5W7mz.js":"6a8175154534f8d622f4af2be99173931b6e13bc561e43a714530f430facc915","icon-192.png":"838415dafedc437e618d32d08525468cc0fdc832bf8b311d376d4dfb3de5525a","icon-512.png":"7faf3903cef657028b908bc60849cf7e39d2c04e7a4f601207db8f05bc4858df","icon-maskable-192.png":"5418f3217631d12a0fffc9a77189cd8f323e9eae2a9463300574d843cf0f79e0","icon-maskable-512.png":"e377d815f184ce54e5ded9b314561b9fca03d3fd0085dfe9ba594263ec03e055","index.html":"7d5ff46924f9be01a5c916aa1c19b0a7e151b6db39a9ce8af6a131161a67f061","mark.svg":"480ac5e0eac82fac8fd0e85ffc66a2077c90f4d35a7656d2b2ff96138f858017"};

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
