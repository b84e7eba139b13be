// The worker of the page. It keeps the app's own files, so that the page opens without the hub, and shows notifications where the page may
// not (src/lib/state/notices.ts). It answers for the files in FILES and for nothing else: what the hub says of the hall never passes through it.
//
// The files of one build are in one cache, which is complete or does not exist. A page of an earlier build finds its later parts in the cache
// of that build, because their names hold a digest of their content.

/** The build, and the SHA-256 of each of its files by name; filled in by dev/worker.mjs. */
const BUILD = "227e7254ee57e1f9";
const FILES = {"app.webmanifest":"e80ce7a10f85db1bf865dd4c8b0034ba18b3974692a6eaed82d1f652ffb1e27b","apple-touch-icon.png":"8c1aebb921919b295d39564bddf446790e34f3fbd66f8681d4401878c489d39c","assets/AddBoardsSheet-DPaQsQtD.js":"fe18af12978303640e6ea093ba50717afcfd111e177a474db63ed20c8b974ab1","assets/AppBar-B5Lx4n8T.js":"47da7983175736e8b4ded78a246e064c0f62ded9117de5b95424ffc88cf21083","assets/ClocksView-Dlx8dv2I.js":"d75df61c303425265310510f0bdec9b177a0baa3484780d12ca8ed37152426fa","assets/ControlPick-0FWbQs60.js":"236699075de7b3c5e5abe8640251e12d0664d1fc293b13258a61f84ad272aacb","assets/Dialog-B97pwT8n.js":"919613d7cc4d0c0381ee30fa9815539f7fad3d28b233a705f276211092fdf99c","assets/EnrolSheet-8y0rgCYa.js":"6bcdd6bcd1d62d435ef808b5cc60c94ae3f15b8e39d3bde7a5ac77e0f7985f0a","assets/EventSheets-7CmNPsYa.js":"4ec9c25c1b5dbb43aa91e17314d466941f00573ade60b4457f57b5e21057a930","assets/HallMenu-DA5aMtCH.js":"4dfc910e57a1b9106ee2e10fde5a44b7e03db6bcd9eab564913b0a1750b469c6","assets/ImportSheet-BY2Jgz9K.js":"f72c7439657fdc8129d4a712eacde225a7bb1301959d88257304997c09971c09","assets/ImportSheet-K4_CuO1l.js":"29877c0fcfd055e15cc0e79ec4636f9a3c5eb2333e3a7c55cb441b63b67fd45a","assets/LoadFailed-DlY8fVto.js":"4751560901f146084c74d0f599d3ffbeb6d4e93838aaa7688dc20ea0dd21cb99","assets/NewEventSheet-Dyzgv-5o.js":"9163b6fc65e9699307d54f49ff1675dc78888258983100fcee232481c1644847","assets/PrintSheet-CKfTR1y5.js":"38db943d639e890063c7446348b0ca488b24e3f4b21f4de81d3cd636c2cf8d2f","assets/Qr-BDYeY96J.js":"cbea60994b5943327e8ef2319b24d495763d0c47f45c8d00f2afcb087f9dffa7","assets/Refusal-C6X-wfXo.js":"548d6179900f68a96d0552b2c5b600a153a6c91ea2c5c3a9d9dcd8f30e0912b8","assets/RemoveBoardsSheet-BlxtUTFk.js":"6dd824c3ab22635541a75aba2d21be7dba0e1bfa7769881ce858964f3c74f57e","assets/RoundSheets-Dco4FPLK.js":"4769fae4704239112f3c53630bcc4febebbeb6c9ee52ab9a94e82a887524745e","assets/RoundView-CJsDX91E.js":"372d0bc6d8db69fa311e4c6508ff880cd51c6bc72c68f35dec90609f573a44e2","assets/SectorsSheet-CiJqPuIY.js":"02c917be49547b58727be41b4d3f10e407ee89041b5fc8196d4fcfa48a0c0103","assets/SetupGuide-DTuxbbzA.js":"15fa0219e1a23ce91645f1dec517dec10fbe881d8bda4ba0059f5b95f7f88cd4","assets/SetupLine-HNrI0HOO.js":"40102e7200aa595b77c6e5c94e2015fbc662a1aa30b574a3d76f30759473e351","assets/SetupSheets-Dw-IGIsy.js":"771de2c72993222a4f574928453df3441375857a2bf5e8170d2b6836d72d70a7","assets/Sign-_0RFpY3Q.js":"83033b331ae4b2dbe103db2f4ce10979688d931e0ec9da2d079d8839a60eba37","assets/SoundView-C4N1WYN2.js":"f11f40a3aa5f186dbff2cd6fe84c303e0e21f5907d2113a05a365c62d594262e","assets/StandingsTable-D7sgOwyP.js":"d369debb269bce74b22e76263413ca2bb58d3afecf1905a6cace958e4678b87c","assets/StandingsView-kb7yDb0w.js":"04be6d8b071de6a00228954eb79c382bc742268318b66398e7c37ba1078dfbd3","assets/StartView-D4_iXz24.js":"110785222c18aa838fd24689586b2128f9752e8f7cdd7114a052ea70ec9ecc97","assets/app.svelte-Bog5hgGy.js":"f84fbae50f36eb97030ff8052c73e6bd73691fc14208004ed1402bf6fd98832f","assets/chart-Cp9pYTV4.js":"7840358a51e61f0c4815097b9eb0a22346a03038845433e8719dc98d11d89f35","assets/control-CaH61FDD.js":"09d455bc940e2390e6fb584bcf383ce4ce593a7d3e9ce9018629e05762bd87f4","assets/de-rSaOeMRn.js":"c77607bab71a42f75145e12932516d554d1e2758e233dce201f8f92e2cbdb2a9","assets/decode-Cb39y0Pn.js":"3482590646d178854743c23b14afb1410a00a9d83aeebc40a0f0cfaa38ced9a7","assets/each-board-DYywwUA6.js":"6738b2262baeebd8bbd9c30540dea8237323e191d699cf4b8ab6f9c6f6f035ba","assets/en-BJRjCVOM.js":"7cf374d12b4a3904b29e4d264e82b8bc04db3cc48cb1ffd217da7c6d2544ba35","assets/es-Cs7nq5Pi.js":"3c514eba9fca58232de4dec884378f6a5a6de0d59babe9441172c75e7860b415","assets/find-CgPsTbeY.js":"c6c8e069930828bc66d6ec875f19b4ae9569727bb1825ba658a3b3715314b5f3","assets/fr-B279zKgU.js":"4cbbbfbd35d18ffc51dced614ce51469a13ae2383906f3a476660decfa64bf48","assets/guide.svelte-Dlv18H_6.js":"f18e0194208a7e0295be889945429ebf27241eb92a2d8af6e45ee0f750001c16","assets/hold.svelte-cnMDn3oz.js":"d038f8578b08e38a1523dc7ee50371f4e3e586b6dcd84fcee789b6ecb0ad929d","assets/index-BcmGWX5c.js":"3b2704d21db8d857fabf05e03a910413020ef1d5b30c07eeaf53ca1b89f0ebd0","assets/index-CP4smUta.css":"fffc12f4d6151217bd8a01414e23cbd26607dfc117724d679c71845f37cc7c7a","assets/language.svelte-vnQJ4OX9.js":"0733cceaa73e893de6b781fadba99b7ec09c5a170ab86087cbb3ff6c4be49475","assets/pairing-DB__kD3b.js":"a92d8adfbe6459cb4f3a1c571491356752e572077cab0958e21419210048c39b","assets/pairing-Gg6AoQxH.js":"8c7bc37cfe98e58b8f14b4b11e98a7790c3d1ef5107fbed4d957afd5c6572e67","assets/plain-BdVVEK8b.js":"e65c6905119b1d0742d070ba5cf909c8ffd2ff77cd56538d21f4a26b89f9ee8e","assets/plot-CD2inagw.js":"2823ffceac4ad594703c799462565954cc873469e0a89cb7f99c062f33c5b6bd","assets/plot-CnsZ1jie.css":"0fd9465202f6dfceac29e67c17e5ac9fb1b7ba7615c1bb08782391b791d9f1e0","assets/preload-helper-DgtOMnQW.js":"9e88e4509dbff6572d6716945c453290735d226cb18edc47fc1d337da8945845","assets/qr-D15vRg4X.js":"dc5d1a8c7c42148c9ccc3bec037a2ada79d0d693645e20ba58b697f8e8dab47c","assets/registry-B1INsJo1.js":"092da2a14b4ef4606cbad59bc28251401272658b4f07be51f1457280e17832d8","assets/results-BcbtYG_Q.js":"3291663d1a0694a24c2f497146c0c75220559cb1bcfa610d44726e631c216425","assets/route.svelte-DFkaEwiF.js":"a801995b213b8f92db4bbdf2778ec366cb371876448e4a6e2ddd3efa12ae1f8f","assets/score-CYhW3CNa.js":"560ac66604c29b7ff292fb22683977b45ad508aba1df02ab66ad6666be47aa06","assets/setup-Rw0GXZwE.js":"cfca6c5dd4c09418e1a68cb48dea6e0b2b20f79ba5b5a2f598ea5b1bba017273","assets/why-CsiI5aup.js":"48a5efdaca9698e41f9b5c54bb953c11f51c68902434fd1cd2cc6ed4fbe8dbf4","assets/words-BlUCZLDA.js":"3996e7a303db0011490609cb7c9b4c4829ee404024ce88db4c4c6a641dac6048","icon-192.png":"838415dafedc437e618d32d08525468cc0fdc832bf8b311d376d4dfb3de5525a","icon-512.png":"7faf3903cef657028b908bc60849cf7e39d2c04e7a4f601207db8f05bc4858df","icon-maskable-192.png":"5418f3217631d12a0fffc9a77189cd8f323e9eae2a9463300574d843cf0f79e0","icon-maskable-512.png":"e377d815f184ce54e5ded9b314561b9fca03d3fd0085dfe9ba594263ec03e055","index.html":"e8a9660a35e680a6bdf0e606d4ca8c114d9ac19c302986624e55f37d4a7f1456","mark.svg":"480ac5e0eac82fac8fd0e85ffc66a2077c90f4d35a7656d2b2ff96138f858017"};

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
