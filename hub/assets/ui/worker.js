// The page's service worker: it caches the app's own files, so that the page opens without the hub, and shows notifications where the page
// may not (src/lib/state/notices.ts). It must answer for the files in FILES only: the hub's data never pass through it.
//
// Each build has its own cache, which is complete or does not exist. An open page of an earlier build finds its later parts in that
// build's cache, because their names contain a digest.

/** The build, and the SHA-256 of each of its files by name; filled in by dev/worker.mjs. */
const BUILD = "89a4c5fb957c4a08";
const FILES = {"app.webmanifest":"e80ce7a10f85db1bf865dd4c8b0034ba18b3974692a6eaed82d1f652ffb1e27b","apple-touch-icon.png":"8c1aebb921919b295d39564bddf446790e34f3fbd66f8681d4401878c489d39c","assets/Act-CRCPrDbk.js":"f11257aead16642bb25b73adfdae1186a8afbbb4ac4c749e3a0e19fde6a96118","assets/AddBoardsSheet-D-rCsQLQ.js":"6b879365821944e63dbdb2fb80b42a724588940a2d5bd309652b195152fa9dca","assets/AppBar-DFfYnFUE.js":"066feb1e0ef5e1d07aeb708be76ca53fc5925fcb6e872b29bb3bee3d9874d9f8","assets/AuditView-D1stGwG6.js":"b759d6c4b53aae78304a429f4c5fa18a823721f2b20aba15f36adc0ae212fead","assets/ClocksView-kGhcEs69.js":"446a00240717b89a837407d512fc37c9a359e335f77568d998034980adc176fb","assets/ControlPick-BtIjtgG0.js":"3a21a55a5ba5e857524552e5fc2d78ae07cb85040808f417d015c02918f6699d","assets/Dialog-BUtD71CE.js":"94e51d1a5e7ca201e311aae3982c6d5b85b64cbdb020ebbda0fb4745378a7717","assets/EnrolSheet--bdg_lY3.js":"472a9f3343b8e5ec44cd62ab361635b9989062835ec54f2d423b4ce04cf42f80","assets/EventSheets-i_N6O8Md.js":"7c2313c69c7a4156c6b7679044d0c6c378e8b1a1513bde04e696acc7ce00155e","assets/HallMenu-BeNZi_8q.js":"a93a17a702487213635f27f02576b1a19670c3e5e18bd575ec01181325eb0dda","assets/ImportSheet-8ZpWT38V.js":"e968e024e946d63b6c5351c1240b135e4f408941aaf1f81d19f9a4a92d0bb776","assets/ImportSheet-CmNndQuo.js":"9a82c3c6fb3f124c6f58232e68d94f063cdd94140a1c55ba429c187798f2f91d","assets/LoadFailed-BMgyRcVm.js":"3b864aba3f2ef61951d885c14675fe011a60791d5bf8e74d2d50394dd7774b2e","assets/NewEventSheet-PD3iNloU.js":"df37f827855aef44a3c0872ee02ce7d2453ea2543614cf7326fbe6e518947d0e","assets/PrintSheet-BrMn6-Si.js":"41f817fe19dbae1dffbddd36a9469262b5d25a4c4887e0fc2e804b2cdce6b994","assets/Qr-CCjag71a.js":"66fa066be0e89cb1171ce0aaf830b29e34153b372c0423c368e72a0dc6c1fa7d","assets/Refusal-Cs4nmT4t.js":"64c22a9a6322ad05b0384ec266708510d2f9108b10da909f26ca357cdac35794","assets/RemoveBoardsSheet-CmiNousK.js":"09ae9982001451d323b0c2bb26a597a0ae3bcf0db5176cdce3f45cf428657432","assets/RoundSheets-YJbPbMki.js":"83db18bbb12aa4966db26537be923556d9df13ba7630969df6734c1835c427fd","assets/RoundView-vNRZrf1K.js":"bb6633791665267eb8ee79c015faad671901020d3ddb64a0258e3e724b818571","assets/SectorsSheet-BYefCnXV.js":"1b4491218dfde71388228deff1ad5672fb3e4dae423738e11fb4595d4f27c48c","assets/SetupGuide-cx7nkIzC.js":"17f5d550fb93d51f4c236b0fba306b9939b214194e6e338c117e8778710b7ac8","assets/SetupLine-D64iCK4g.js":"eefe9ae626f3b92404e206d0bbab5dba5362b9408adba1d4553af6fb42b541cc","assets/SetupSheets-BwM2BscG.js":"8ba2ffad1acbec2a650bcfeeb51de850b50b5fceb8a3e4411f3471a7ab5ad840","assets/Sign-CKiec_9d.js":"2a5eafbf2fc83f86f32ba5b5df488c4a94dc8ad896600b1351ad60d2999f86e8","assets/SoundView-D687-2LG.js":"7d95a8e6ff6896684c0afa846f61dcab76b1abb8c4eafe9fe13fe7a4ede326a0","assets/StandingsTable-DoPq7Zpf.js":"07c3286189f10d38a61e8fa6f552c5a7d2a6a6eef13e197f563034989ebcd545","assets/StandingsView-CnXCTwN9.js":"592d43d5811b9ae51f5d53facd58b1e9442d0689f8cb11621557f56ac4495254","assets/StartView-UFNfAD_o.js":"66bbe20c0fe2f8056d5bf127d312aaad3e3ccc77f46e3a025287f3a16fa1bf2f","assets/app.svelte-DhPJ2ZOY.js":"3e32d7c59e65d19130d53719fa0e6e5eba6f438a2f4fb53672fd94feda751636","assets/catalogue-Dxn__fo1.js":"9c3e0e1c056b3ba7a0fffe3dc304625c30109fdb94558eb3324dba7151933c57","assets/chart-Cp9pYTV4.js":"7840358a51e61f0c4815097b9eb0a22346a03038845433e8719dc98d11d89f35","assets/clock-test-BKW11sU2.js":"121302bd07c59d625a156290f48a0936be9355dabe302a3e712689ce24b6a926","assets/control-KpHQqlVO.js":"92d3e140099b7b15867962df161225a3b664f060c274d79dca2f5890e08f9359","assets/de-BL4AuPZt.js":"a6d01a0ead66f2a48c3ec5123304a0c727b37b2cce235af180892ef7c7fe8a73","assets/decode-Cb39y0Pn.js":"3482590646d178854743c23b14afb1410a00a9d83aeebc40a0f0cfaa38ced9a7","assets/disclose-version-C6ORp4K7.js":"9865f5f2a801648a016b497cc8c4348cc1dd137d495e725a4353d7b3b8e24ee1","assets/each-board-7xtGWKx-.js":"0e2e99e48409289d1ecd57a784e7417ebeffe8f4d257b79e9b504cca41ec7d9d","assets/en-CdnggGl6.js":"18558547e90838cc02a89fcbf91b272fee1d52e0e8e6a5a05ea794ff50978a91","assets/es-DeWQcrGZ.js":"a186239b81871379bdf63b8b182af3901dfee0f9fc5c6d59d60010c5477d16ae","assets/find-wM2L0cya.js":"caac0daf5d3a94c18690d07d6882e75196ed9e24889d3fd724e91a6118df595e","assets/fr-Cg33Fexr.js":"2de0e06dfeea199db624f4e5f98dd236a9b8ecb240a1324ddce2e8f56d0ce1c9","assets/guide.svelte-BozRZsCH.js":"4255449a6205f84ff999666724d27617a8f4f4869cfbbeacdf7daa66c6af7477","assets/hold.svelte-Csz-oH5I.js":"cd1d4a9a7524b5abe4df2a748051c4ec2f9a7886ff5d6cc3fdd1364d46fdc403","assets/index-B2l6d3KY.js":"ae2eec03a1ac8927c4d193d083749c1bc560a6d99b6cbdae5f7f447b5082d737","assets/index-CRhghABR.css":"f8cb8651b885951678fc3919e332c6b0be815e5b081e1fba874d4fa571d54408","assets/language.svelte-DmgVkcso.js":"c5b4d21268250deffa472c6982455ed066acd7ae77e2661bd8856812b6e9760e","assets/notes-bu28YGkg.js":"91a4ca62a35a66bd147af56af3910360228a32afe29fc9bc6b7976a3647d0659","assets/pairing-WcI5gGFX.js":"1eb8fd223309883bf68bc3018e2a9f4ebd19b1d0d3259d25a1638cddb95dcbb4","assets/plain-BdVVEK8b.js":"e65c6905119b1d0742d070ba5cf909c8ffd2ff77cd56538d21f4a26b89f9ee8e","assets/plot-CD2inagw.js":"2823ffceac4ad594703c799462565954cc873469e0a89cb7f99c062f33c5b6bd","assets/plot-CnsZ1jie.css":"0fd9465202f6dfceac29e67c17e5ac9fb1b7ba7615c1bb08782391b791d9f1e0","assets/preload-helper-BQUUbbNx.js":"fdc866086eb8bad8ef0387d4b59cdb01dd1e306f42453ee5e6b8b456102f1818","assets/qr-D15vRg4X.js":"dc5d1a8c7c42148c9ccc3bec037a2ada79d0d693645e20ba58b697f8e8dab47c","assets/record-Bj82Wg00.js":"a66b6138b56ecd211fbd7d8cbebd77447d8a04b9fb610abdfb37311656328256","assets/remarks-CbqPwiGV.js":"cbefdc8e55d4d9fbc9c3856f6aa9329cb78024ad26d7b6b416a8196b3125be38","assets/results-ndexvCRo.js":"28ee2d7b176c89a3c3a42e798d540ed254f1f7a21b21cd55c9db5f96697764b5","assets/route.svelte-BW55f3q3.js":"71eabebb0e42ad13ce2075c245ad55bf2a26c7ebbba5a741c102de532d7ac053","assets/setup-CTSxa94d.js":"c3c4b6a1b9903d221197ce8f51d6445224f0d6bf67f11c27701a3e19900f06f0","assets/words-B2eZ4Rk_.js":"f1df5796d8071926e29014738427f6a65b1529cffe5bac1569b3384e3ee949ab","icon-192.png":"838415dafedc437e618d32d08525468cc0fdc832bf8b311d376d4dfb3de5525a","icon-512.png":"7faf3903cef657028b908bc60849cf7e39d2c04e7a4f601207db8f05bc4858df","icon-maskable-192.png":"5418f3217631d12a0fffc9a77189cd8f323e9eae2a9463300574d843cf0f79e0","icon-maskable-512.png":"e377d815f184ce54e5ded9b314561b9fca03d3fd0085dfe9ba594263ec03e055","index.html":"23b8836d3edefb15d1e6407357316748a451e81a276790f83e523ec6c1a80a74","mark.svg":"480ac5e0eac82fac8fd0e85ffc66a2077c90f4d35a7656d2b2ff96138f858017"};

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
