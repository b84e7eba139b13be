// The page's service worker: it caches the app's own files, so that the page opens without the hub, and shows notifications where the page
// may not (src/lib/state/notices.ts). It must answer for the files in FILES only: the hub's data never pass through it.
//
// Each build has its own cache, which is complete or does not exist. An open page of an earlier build finds its later parts in that
// build's cache, because their names contain a digest.

/** The build, and the SHA-256 of each of its files by name; filled in by dev/worker.mjs. */
const BUILD = "f04406497ea50c54";
const FILES = {"app.webmanifest":"e80ce7a10f85db1bf865dd4c8b0034ba18b3974692a6eaed82d1f652ffb1e27b","apple-touch-icon.png":"8c1aebb921919b295d39564bddf446790e34f3fbd66f8681d4401878c489d39c","assets/AddBoardsSheet-BYEO4nRy.js":"3657fffdff59eb46497d4b7a1780945ee48a7a12240c39a57abfcc8a37a84010","assets/AppBar-gcecAo7g.js":"6ec4e314a6b98507ff05d3e1d115b2d5164d73c5ec95404c129d467f44c6a69b","assets/ClocksView-BYm0gZRB.js":"601fd8096825731bd299d40b6ea0ee82bbd2b87be2c795a92b4e85a9591bccf5","assets/ControlPick-ZqHgUx4S.js":"8ad61fdfd535249ba84ed5fef5d6e1a12ec13e5e7d1b1ba283fbc25da9e3892a","assets/Dialog-C5GMU91p.js":"844362ffbb6249f62419c3b4de0ee2d85fb09984faea171e78d0934b5ad21f8a","assets/EnrolSheet-ASCqmSg3.js":"738e4357ed95668bf4921222c9969ec2804f5ea6ff25c37a8436f3790eb9d654","assets/EventSheets-DEWKsn3R.js":"60487eeb9fda5167a8ab8bed21df72fef443ba39d0f69059078875aad10705f5","assets/HallMenu-Bd2EzpHw.js":"3a9ce537cc5db3bd58ddda20dd9cbdfd06ed7ceebc3847e5df4cded84b507f10","assets/ImportSheet-BRXkhX1Y.js":"caf419b2a8fb09415f48135baa6d0cda9dc495c40d401e39d80e7758f266e602","assets/ImportSheet-jC_yjpav.js":"f615d36b45ac6648b79ad266808cf642103e013f92bf0e0bcb5e0e6295bb8cf8","assets/LoadFailed-ClI3N3Yo.js":"a80e0e086bb18fe02370da4f7dff5f888eed71915a00a9b927dea9d9d2a54d76","assets/NewEventSheet-vDpQwh3D.js":"efd7c433107822eaec2ae621d6c5e3268f915a5092f3ff2eb5e8ac2c966be0e1","assets/PrintSheet-Ct2mjwaN.js":"0cca2463e28e630df091c240332d4069670bed3b3dcf7172b9e37c4199ff20c6","assets/Qr-CCjag71a.js":"66fa066be0e89cb1171ce0aaf830b29e34153b372c0423c368e72a0dc6c1fa7d","assets/Refusal-C2JoZRsP.js":"8106e89b05b36924753986a22a5be2165178906575d877e528e654f16c9ad893","assets/RemoveBoardsSheet-B5dg0aW7.js":"760c04557fb1e1d6d7b69c2011aaf4b0719ef5dbae5a0c54c6f824da117d6abe","assets/RoundSheets-E6wBjnB3.js":"15b38a51879235009369ccd5d4039312f7ada62084738ce7c76098f9bdfae32d","assets/RoundView-BX1wu_iq.js":"5a0ffdadced1edb1e8755da8c2204a6ab1370362c2cae110c1d31c3e9e09afb8","assets/SectorsSheet-BXVhqcpU.js":"a6eb98ab3a2bf616bcb753a844d634b14e1cfdc62b443e1868339ee64b8be219","assets/SetupGuide-DS5ndVi9.js":"9b50404536a21d35987bd99ac50e3158ded199f0e76b5a94785c7628ce19a71f","assets/SetupLine-FDx1J_r8.js":"5d7a79f3cfc4b4ec087c1dc8aeb5dab95a499a8983dfd8493225d5dd9515ea50","assets/SetupSheets-C8sCYqvo.js":"a46049a408928648fa3c0c948bccaebb8f887d73518c68aeea8d3e79a8243afa","assets/Sign-CKiec_9d.js":"2a5eafbf2fc83f86f32ba5b5df488c4a94dc8ad896600b1351ad60d2999f86e8","assets/SoundView-i5JXAbZ3.js":"f2f6034844097eee337c2f55ff8f9ba8ab400c57b26ef43756003977b9506e4a","assets/StandingsTable--uXGlSaL.js":"00d6cca05c56b84abf7f7dec942d33370219b49eeb89b18b302e84c188068024","assets/StandingsView-Dp6dkVIC.js":"c27f47d59289a354359b75ce87db7197b0fdc910405efc78141e1edc29a9bbb2","assets/StartView-DDPefT4C.js":"699f39fcab76956090e014e2f999b7e7d08a252056ca4e1687828a490f952b0b","assets/app.svelte-zFU0ZY_z.js":"b47dabff05f2d09275f1fcfbccdc7d656c84d80f03942facf2d188aa59aeb3b3","assets/catalogue-OjzhWeYj.js":"aebd6f19bb11822d124fe9aaa30d504d3181ad16f274696bf4a6e6c777cecb4d","assets/chart-Cp9pYTV4.js":"7840358a51e61f0c4815097b9eb0a22346a03038845433e8719dc98d11d89f35","assets/clock-test-ByghFCY7.js":"ad822ecc3a95936540e7bba0aaa120a6d35ec971f41742a2fb6150c4371a6196","assets/control-D7H7mLsw.js":"69e72af4b5a8bf9f484fe91d92776ffc030c2ca8b1b258e97d885505a9b17830","assets/de-C58EPSwa.js":"64fedc51400da95312fbd599c7bdd0af81eb61e0a8d153e21cc918e9caf30b99","assets/decode-Cb39y0Pn.js":"3482590646d178854743c23b14afb1410a00a9d83aeebc40a0f0cfaa38ced9a7","assets/disclose-version-C6ORp4K7.js":"9865f5f2a801648a016b497cc8c4348cc1dd137d495e725a4353d7b3b8e24ee1","assets/each-board-sDoWSM_L.js":"b18ee9ae752d0b0162a7ca0a8a7293adaa217ba61e51816fc433c5d3ff8e178c","assets/en-MqnP2H0M.js":"0cc1357567e23358c8afdbfb0b5364dd1a58fad7bb0a673769aa37ab4d726d04","assets/es-BKk34PLi.js":"eacdc6856da5e2ddcf5d0894d3f93eb3503d48bb09d3c1c2c1bb1da1487e13b1","assets/find-BEuAYU_N.js":"2979d5321f5d9b4063518abd44a549424e681216053a040b35c309ffa937deb1","assets/fr-CHvexCEn.js":"6409f96b64271a6d530764a04e21dfafef39fc0a1c11a758ab84bc299733f34b","assets/guide.svelte-BozRZsCH.js":"4255449a6205f84ff999666724d27617a8f4f4869cfbbeacdf7daa66c6af7477","assets/hold.svelte-C2wy7Uz5.js":"8ca40cb6a3f9660d1ebc8a309adee64e8d8fac4ac010d95e1fabfab7381f68bb","assets/index-BWKQdMOU.js":"f8405c17585f15add5bce8109c2bdd825aa7aaaacbe9305d0dcad7a0726ca0e5","assets/index-D-Zb-cYU.css":"6a185bd8a4797f2b18743997867d89bc06dca9684a80c701953f03d15d62d2d9","assets/language.svelte-DbZ7yfFP.js":"5716ad44d63d6f8bb280c8ffdd8ee1e270be9fffe4c274fc3d85991ec901e274","assets/pairing-H_UkBFRc.js":"9e604f424793be85e5bd96d22dbf0bfc7caf2e5f77a259ea20419dd535890bba","assets/plain-BdVVEK8b.js":"e65c6905119b1d0742d070ba5cf909c8ffd2ff77cd56538d21f4a26b89f9ee8e","assets/plot-CD2inagw.js":"2823ffceac4ad594703c799462565954cc873469e0a89cb7f99c062f33c5b6bd","assets/plot-CnsZ1jie.css":"0fd9465202f6dfceac29e67c17e5ac9fb1b7ba7615c1bb08782391b791d9f1e0","assets/preload-helper-BQUUbbNx.js":"fdc866086eb8bad8ef0387d4b59cdb01dd1e306f42453ee5e6b8b456102f1818","assets/qr-D15vRg4X.js":"dc5d1a8c7c42148c9ccc3bec037a2ada79d0d693645e20ba58b697f8e8dab47c","assets/remarks-BFwBQMry.js":"d2fdee167ef6cc6c284aae1e72fc093cd68f1c4d620f485cbc59f951f0090eec","assets/results-qDELzMZ4.js":"f6cf90662dbd771ccd9c70eb38cb260919afa034927b1004e3fd83486eca3303","assets/route.svelte-KvkLOyLL.js":"1ae8367fed2354496e06d218e0f1a477ac09ea166e28c00fdb00f110a29bc089","assets/setup-COayXts4.js":"bd53364def643133901e4bed599bf76670da95fa07685c679f1a49a551bd106e","assets/why-Bd92tL4d.js":"e6c6e49085bb818cc18e8f1d36fd0a7bedf6417a4b5588520fa7f5d3f41f5ca7","assets/words-Bb96cLmC.js":"6372caed2c0d791c1a24b31d661c0b214493b2ba707aec6504a1b7f7c654f1d5","icon-192.png":"838415dafedc437e618d32d08525468cc0fdc832bf8b311d376d4dfb3de5525a","icon-512.png":"7faf3903cef657028b908bc60849cf7e39d2c04e7a4f601207db8f05bc4858df","icon-maskable-192.png":"5418f3217631d12a0fffc9a77189cd8f323e9eae2a9463300574d843cf0f79e0","icon-maskable-512.png":"e377d815f184ce54e5ded9b314561b9fca03d3fd0085dfe9ba594263ec03e055","index.html":"d8acdc1f2529e171688131be0af9145afe1b42cfff2eb12d646372cd17d78af7","mark.svg":"480ac5e0eac82fac8fd0e85ffc66a2077c90f4d35a7656d2b2ff96138f858017"};

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
