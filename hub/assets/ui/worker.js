// The page's service worker: it caches the app's own files, so that the page opens without the hub, and shows notifications where the page
// may not (src/lib/state/notices.ts). It must answer for the files in FILES only: the hub's data never pass through it.
//
// Each build has its own cache, which is complete or does not exist. An open page of an earlier build finds its later parts in that
// build's cache, because their names contain a digest.

/** The build, and the SHA-256 of each of its files by name; filled in by dev/worker.mjs. */
const BUILD = "a59edd0caf33fb05";
const FILES = {"app.webmanifest":"e80ce7a10f85db1bf865dd4c8b0034ba18b3974692a6eaed82d1f652ffb1e27b","apple-touch-icon.png":"8c1aebb921919b295d39564bddf446790e34f3fbd66f8681d4401878c489d39c","assets/Act-CMRCzyVA.js":"46cfcc1b1f7c460c57aca3ebf3736f3285ec12493ffdf66f3cb7097c3cd38286","assets/AddBoardsSheet-fyMZyy5J.js":"741c6c646871234ee77d5f9a9bb11511b86fd22f0fb227dfbfe40169a454beea","assets/AppBar-CEWYk7sJ.js":"b76045d9ec14ceb2edfead1db2468709c1be9717256a7ebb93bd4cab5563a9b4","assets/AuditView-BmfQjTp7.js":"b07494735a795e610de3b88d5e1ed27b617ac993449e30780d05bfd287cebf20","assets/ClocksView-DlN8k2-W.js":"c21f1d339e87ec85a75345992ccfa1fac7e1fdb68345af340da7062b685cf24f","assets/ControlPick-BkyZZ6Ue.js":"6ff080e297df570cdf8208362f161b3bc1f64c5ee3ba3d596b9a7f5b0205fd3a","assets/Dialog-ro9JSR1I.js":"9a3becffb69c51eb5f72728f3ae25f281a1a225d937ebec6ea8b58cc27b5b680","assets/EnrolSheet-BP-Jl0YN.js":"4cffef4df2a16ea098e9e64e89fa517436b034c09b11d3a6451e513a72be978d","assets/EventSheets-DvBPfJzK.js":"1d971f5f9a3d94272bf7e452a6999f410b49b1c37aea433f2048f8ce7fc82a71","assets/GamePick-BxCGQm4P.js":"274dc5c690dc62303b0e7058d37c31bd35fb477eea21c3f559ffcd21313f2f80","assets/HallMenu-Ct1MKrsy.js":"6aa33d2059673e7704f962a6d7dec7744d8beea4a2e49cfde3bccb10525df689","assets/ImportSheet-C6h1bOij.js":"e418c425a6bd5d716e9a4d50186da0ea7993205111e17c1956464b542b67f8d5","assets/ImportSheet-erivQBL6.js":"d0c863bcc754a066848eb7e0f6f818eebee023987e82cf17dd42e24a05e0fc93","assets/LinkState-C4Gx1YJo.js":"8dd105349633b73e43848bfecd329efa2a4d8167d37ec9db01f211c0f4dc8b2d","assets/LoadFailed-BI7RvtcM.js":"3995adfb1e4433448e7f16f766202eac8329cba827831f77eeff913b14248ec1","assets/NewEventSheet-CH0nXK71.js":"fb3a1815e15ce022d68cc453673bfd60f67cfb053d3dcaaa9ec1be0e6aeb56d8","assets/NewEventSheet-vY8MaID6.js":"08b010dea67e7d6e70d5410c855bafaadfaaa02f3a5eab26cdb31ca7ca599d50","assets/PrintSheet-Cl0N8X3r.js":"ba9e99bba5f204aaf08a72ceda2231c663204645c53ac5bafc3bfdffd3e98dc2","assets/Qr-DwPoq4xs.js":"ade51182a27e9bba3ac86ad34669a7c275ea2c87d8b285141c676a574ff02005","assets/Refusal-Gzgr91g0.js":"40af1a654cdc9d043574ee225cf3e6baea503917589022500ad1099af0fcfc50","assets/RemoveBoardsSheet-CVh9IO1F.js":"148f6be3ee686aa32bddae66acefb1684a0962c26f9540a3c8fb90471dcdefbf","assets/ReplayView-BkH66x1N.js":"60c8a8c515fb58bd0fa39e33a4aeca350905b6f1d43ee3df22b988d71fd758c3","assets/RoundSheets-ZLrPigZ6.js":"f0f4cdee08e034c6ae2a9ed70934f3b84366fbe59a47caae53b3440dc163c83a","assets/RoundView-cFLfwFSS.js":"8d289740524d61c2e9ed8984cdfb8c85c4d5c1679ed2c72142adf4cee9733513","assets/SectorsSheet-BOMiW7BN.js":"8f025d655cf4cd9f755d2e694ee486c1dd0e1c94343dad8aab19a99759872f82","assets/SetupGuide-C0bktmTY.js":"82def6efc9eca52768a10e08a447fe4482a05c3c1a421512e2fb64cca5f46389","assets/SetupLine-1vcSxx5F.js":"7976f30aaec788f134a4a1defe896d5c9c8c072f7ac707b5dca1c60e281f3074","assets/SetupSheets-DLT3fx8h.js":"3c73d223a9bbf24d02307bf80281dfac8e7273610c81da3490f2f3cc169ed136","assets/Sign-bkyp3xMa.js":"585b42be75abb08f049bbf705fbf66d91b936ff63f4ab6d79967db9d79b072fe","assets/SoundView-BeQLfqxi.js":"6c1c6065e802e6c2989ba553a9b363b1e39b3eaae62a2c7c1d61da55deb7a94f","assets/StandingsTable-BMqkfo3l.js":"7810d1a473c608e47c3ad5c6d1a87e6e4bc2965a26b151a4d3ab0121e8b71726","assets/StandingsView-LD31REwD.js":"ea8b827a1d0e087fc266c40ed20bedfd0a03dfb4e98788f205c1bc5df3ba4f00","assets/StartView-ZmaQyCEX.js":"58d09dd214e459f0513ce89e9dbcd4fb0cb4b816b0adaa9311e63824112ecb78","assets/acting.svelte-DWGHNxi-.js":"567f26be55a331cb5c1d9e512f4b851699d5517e1c7f8ebd1d8f7c02829eaf1a","assets/app.svelte-UVYp3Sph.js":"f05e66846bb6fcae3d34f943c9988704e3f203063d481edbdbc57f982168f422","assets/catalogue-BjtWE3e-.js":"10c1cefab2cc37ae83699c937f028df735441ca89a6525e4ded45654d8cd7fed","assets/chart-Bt1obnF4.js":"6d4491c03f4079ac242cf02a34244c786e5509b7f057a6d73592a275145a6e3c","assets/clock-test-CF8DO5je.js":"3301e0450ee00f0675eca1a7871da1e850d0b8bf03ea01e2ff8699bfd3895639","assets/control-DDDOWNez.js":"a9c6c2265ec646b53068509d8730cf46897ffe3d536dced9cf07cae1c6110f1f","assets/de-Cd8AUCQc.js":"824cdf03957ee7e7b18d50b9bfef53346a01b05b00e6afd0fe4f28c3c4f74c7c","assets/decode-Cb39y0Pn.js":"3482590646d178854743c23b14afb1410a00a9d83aeebc40a0f0cfaa38ced9a7","assets/disclose-version-BI9mTryv.js":"b02d38e3e31e3f1208c4f7407c2f714fb75f9c205c85f665d94d37d7c5d86705","assets/download-vWOnvHa4.js":"981768cfdc09e467df99d1d0077bac86679420b593c91e2b81fe36e906f44b18","assets/each-board-IFrDg9fw.js":"13edb9dccf6b5248e6c2d3e45c83065da7e8d61812328f5c79f76ff051d320ed","assets/en-C1SqMyJO.js":"16800522ef372cf2f0041fae519778ec2404cad9e559e1c2b94dd92770777bef","assets/es-CnQDchJv.js":"a51c345c40b7d34a386bf866fa6e561581cd0a93663c3d260c7d9a4bc5e849b0","assets/find-DN1wxB7E.js":"04a90ee9cef644357bbf633553a198ab5b9434ebabe698de1fcbb5f613e0dd42","assets/fr-BEUh4aph.js":"8a04f31ad72ba08c6e191165311bf133ee401edcddfb63517d992e95090c51c4","assets/guide.svelte-CPBLoMc0.js":"fce43a1d1806bc662399871c1c0c6788e451a7dac380d2c2822a44958dd3d1d5","assets/hold.svelte-DNPPqaMg.js":"feeef213a2009008b3088ec88f2a74a617dce08d1217a1f1e61ee0cedeea6fa9","assets/index-BmnieM1g.css":"92be2d603d4090f8c39cbd0a10beaa72f082b861f89db1c8c46de9463044e24c","assets/index-UD7Woe2q.js":"95a15a60c756846e3fef7c3000cda2a506cb310101fcf0ef466e579669a6019f","assets/language.svelte-B7L7o6l5.js":"8d2236a22736ed346b0f7cce4b31b1647110ed131bc2215c416b348f50477422","assets/notes-DZzYtWAp.js":"24618ccfbb7222f9b067348e50f75c589b770543831caaa1188d45a7514aa318","assets/pairing-Bx-mj_Kn.js":"6e544c4300db4e88297140a94d78ba25da68ebc990b1706284a1fecf333c27a6","assets/plain-BdVVEK8b.js":"e65c6905119b1d0742d070ba5cf909c8ffd2ff77cd56538d21f4a26b89f9ee8e","assets/plan-BR_8Vh6m.js":"47dcf59825f931b9cf879ec85c38e500c75e3936bd37a51f440035bc8c0ef3ac","assets/plot-BvcEVOZ1.js":"208f9081ed70cf4d53f8c27596825c718fdce69973ef293127a3c0f04f77ef67","assets/plot-CnsZ1jie.css":"0fd9465202f6dfceac29e67c17e5ac9fb1b7ba7615c1bb08782391b791d9f1e0","assets/preload-helper-BQUUbbNx.js":"fdc866086eb8bad8ef0387d4b59cdb01dd1e306f42453ee5e6b8b456102f1818","assets/qr-D15vRg4X.js":"dc5d1a8c7c42148c9ccc3bec037a2ada79d0d693645e20ba58b697f8e8dab47c","assets/record-B4aEQjvJ.js":"755ec7ef388c32dbcdc2b9eaacd1f36cd1673c4feca5f197b1d95fd00a411971","assets/remarks-D6kZvxjC.js":"595a67eb7737b0fec4b675114db6f8b0ee20719fbd618027e703747062a9d5bd","assets/results-SsX2m9ry.js":"195e7beb210f1a65a9a13dcd47ab11cf829318a077b82a1341d7acdb85709acb","assets/route.svelte-LF0KAXM-.js":"baf3bc19e8d877bc732d91b8f24e535bfe88b4f664ba5ae7b3c0dc6d835e7cdb","assets/setup-BpdR0f5C.js":"b1f10e59e29cf2177a67ba16cc504c94300df35774abb71aabf12389ee659066","assets/thinking-CSvMUra-.js":"a01c099115d12447dcd00bf1ff63b5c0c9f557cadfdb42f8687a233eb53c48ce","assets/words-BuSOJ_u6.js":"e80ac5a0cbab5d975d6136a4b81166e4e480f0447cd06dc0224cd74c8537d0e7","icon-192.png":"838415dafedc437e618d32d08525468cc0fdc832bf8b311d376d4dfb3de5525a","icon-512.png":"7faf3903cef657028b908bc60849cf7e39d2c04e7a4f601207db8f05bc4858df","icon-maskable-192.png":"5418f3217631d12a0fffc9a77189cd8f323e9eae2a9463300574d843cf0f79e0","icon-maskable-512.png":"e377d815f184ce54e5ded9b314561b9fca03d3fd0085dfe9ba594263ec03e055","index.html":"8c16960d2922afc57b3ffd0e83fe0552ae1ef0d786932a2b3e77b3e974afa6f3","mark.svg":"480ac5e0eac82fac8fd0e85ffc66a2077c90f4d35a7656d2b2ff96138f858017"};

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
