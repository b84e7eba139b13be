// The page's service worker: it caches the app's own files, so that the page opens without the hub, and shows notifications where the page
// may not (src/lib/state/notices.ts). It must answer for the files in FILES only: the hub's data never pass through it.
//
// Each build has its own cache, which is complete or does not exist. An open page of an earlier build finds its later parts in that
// build's cache, because their names contain a digest.

/** The build, and the SHA-256 of each of its files by name; filled in by dev/worker.mjs. */
const BUILD = "c22a363d971e4289";
const FILES = {"app.webmanifest":"e80ce7a10f85db1bf865dd4c8b0034ba18b3974692a6eaed82d1f652ffb1e27b","apple-touch-icon.png":"8c1aebb921919b295d39564bddf446790e34f3fbd66f8681d4401878c489d39c","assets/Act-CMRCzyVA.js":"46cfcc1b1f7c460c57aca3ebf3736f3285ec12493ffdf66f3cb7097c3cd38286","assets/AddBoardsSheet-CblO_Epd.js":"26c36336d26a7a0f0f565980b7a06d11f6c4a0181f5201d12459082996b1363b","assets/AppBar-oPoYZGzA.js":"8881314ec5294ead677ed2e2493b314cd423daecd44f7517a5e2a182f9af1ab7","assets/AuditView-CWcfgaSg.js":"08c4333ccc096b7ffb3effe4636f4f7efd5e73eb1cf8424806ef42c442030a02","assets/ClocksView-BClDx-G1.js":"86743a22cd253a30d536801842270b5159e607bcee42275b0366a6323abe0148","assets/ControlPick-B-4rPTJ4.js":"6c2be57cc0e7b409ea83f9dd024226b26f31e8dd73252c1bb413ade03982e3ea","assets/Dialog-CMXMEWx2.js":"0897057e8d5fd86f75c3444fc9f3464be4409fea043ea4dcc02b081fa9328137","assets/EnrolSheet-BCH3pP-B.js":"c31fc4096f8df091674219b6b96afff4c46513f4804c35a04a8c9d3f917a1ec0","assets/EventSheets-DgFqm_tH.js":"bcc1fb7d1463d067095a2f5ec3ad482dd94c661f299b77fd440f09952e2d7751","assets/GamePick-CUOkIxAV.js":"84b49790aaee541b223180e96f102d2cb58eb1b4053b110d8c70eb1525eb3ece","assets/HallMenu-B0iqbLR-.js":"a30db169b5bbfd862ed209d04e8093140312e3a2b41c65c486d06e7f1955d654","assets/ImportSheet-BuZcMCyl.js":"67a49a54ccfb3b20e39e1b37177d75227d7530ac0e8d919c43ab9ba18a46de25","assets/ImportSheet-DAKpEOdb.js":"2c47bdf1039d5e5dba7e02577e6c6132f2520ce3b5b5d9cd59fd82b52aacea18","assets/LinkState-B05kUCy1.js":"af0bf20fe62fce352bec4dc927338bb309c46e13b0d1a42779facf955e714657","assets/LoadFailed-BYZ2YzUk.js":"104cfa2086cb86c7f5286ca66a168a65c53e4f328280bdae14bec69f3bf1f51c","assets/NewEventSheet-NhjKCShl.js":"95d33aa3e64b201d7486f107d2d548eadd47ea0e226bc351323b66f4498abd67","assets/NewEventSheet-xtvjZmnk.js":"72af7f10522dd4db45186533c6a5b236d6f92dc3ec55c5ecb8c62560279cba6f","assets/PrintSheet-C3Nttsrf.js":"44cb1db031e7b1a1298c15b16b266a363a9cb4c00baee7b881e538ba36d0e964","assets/Qr-DwPoq4xs.js":"ade51182a27e9bba3ac86ad34669a7c275ea2c87d8b285141c676a574ff02005","assets/Refusal-Gzgr91g0.js":"40af1a654cdc9d043574ee225cf3e6baea503917589022500ad1099af0fcfc50","assets/RemoveBoardsSheet-j2PL2eR-.js":"53fd81fa980e88ad5f27c017681b0e6ba1f752a29c749a18be12123652af5ddd","assets/ReplayView-BtJpgz6y.js":"6662aaaf6722e89408e20e821c2bac8203a165f0aa72bf80b8c55802fcfbc51a","assets/RoundSheets-aAAJHPW6.js":"f47d135faeb39d6546774becb492a5a1f2906a959b1d4162ba2053050df02fc4","assets/RoundView-CFzng1tc.js":"b5964dd0fb3dc90e5e695d12b6b26e8453eb45906167d8819aca81c6299835c4","assets/SectorsSheet-hptc0SK9.js":"0af6d3370347bada3cc1be4ea5b0126734f7c56fc5f5b286563a455850fca855","assets/SetupGuide-4-H-AL9t.js":"80da78a1c6deb868d46006160e0b92c723b7c329cc9c2b5f74d25f068b91cf91","assets/SetupLine-VuTImKeD.js":"53bb99bbe3ff82235f14fca7d8612f40c9f469b69c1746068e03ed2c6016b29a","assets/SetupSheets-B4eIbfxf.js":"2cea2c9d8c7e7f431373b5f45d785e3ec5194278f62538f917514df37b2cf506","assets/Sign-bkyp3xMa.js":"585b42be75abb08f049bbf705fbf66d91b936ff63f4ab6d79967db9d79b072fe","assets/SoundView-Dj6Ppb_i.js":"20de9d2f34c7cdbe153f9e64bc8b71cca8d68201b6de7bf005c72830c706f27f","assets/StandingsTable-CgHSoXtH.js":"f80ad1c333a4085545517d1ce8f4fbbb3d63d702a712934bcae357c0ebbf16ed","assets/StandingsView-CgPrOW99.js":"7ca41588fe95eec2ce08126c6e7ac6058debc451cf3270ba2ae77e036ec90632","assets/StartView-Cn0PJn4G.js":"34d4c03b120e10cc8ea876847f6f34ceee0547c684bebb3a3577e512e0b69afa","assets/acting.svelte-5uB20qVP.js":"95d988c16fa696d44ca0344b05604aa31403ef661bf7ddcd743ed34431c08704","assets/app.svelte-CtWtSAkX.js":"23adb587adea6b0dab1bd635ca8029977a8c96ae96bea10a264f061730d06115","assets/catalogue-qtw1gfNp.js":"90406f7822a00ffd8242a97848838a98cb2071756dc69cffd8dece60fbf20a3b","assets/chart-Bt1obnF4.js":"6d4491c03f4079ac242cf02a34244c786e5509b7f057a6d73592a275145a6e3c","assets/clock-test-Clw4rGbK.js":"a6ebad9a04bf08d37e5c77285752d1cb84c2a6b89727cafa54ad1df4a0122928","assets/control-F4Pq3rAt.js":"4dc4d911b72e4f5562933a5f70dba9e14a5992f5bb754e7aacf14b4631f0cfe6","assets/de-CJlmD5i3.js":"17a69cb6878e12ec823787e60b237011e23bf3fa2b9284436ac0a4f1ada6dbb9","assets/decode-Cb39y0Pn.js":"3482590646d178854743c23b14afb1410a00a9d83aeebc40a0f0cfaa38ced9a7","assets/disclose-version-BI9mTryv.js":"b02d38e3e31e3f1208c4f7407c2f714fb75f9c205c85f665d94d37d7c5d86705","assets/download-vWOnvHa4.js":"981768cfdc09e467df99d1d0077bac86679420b593c91e2b81fe36e906f44b18","assets/each-board-Ce7EhMD5.js":"ae832f97b229259b1f9937122ef5aedd35efd0d3f850ab13268092dec32eb486","assets/en-DGjNKHzu.js":"f8b67e753021c53c594d7a154e4685f8703e3d98692d9d91aaddbc16c1c5029e","assets/es-D045ZD6L.js":"8e904d304f8c1289be7c97aa519280cac367ec2c3f8a66ed3af4e90aaacd942e","assets/find-Be--s5z5.js":"1e8973edee64e7175a169339b29f018600b592e0b84900e9df9a1834e0906a2b","assets/fr-B2PnLTvw.js":"4ff4ffeb117ffdc41503023cc9af821c5d1c81dece3e57b5f5bc2cccb5b87f3b","assets/guide.svelte-CPBLoMc0.js":"fce43a1d1806bc662399871c1c0c6788e451a7dac380d2c2822a44958dd3d1d5","assets/hold.svelte-BU-sW_Uw.js":"7ff9a0ec694d4f3146d51c2f1aec8d2b443b9340969a5485866a8f50ac4c6632","assets/index-BTYU7rdk.js":"84d4b5109c1a10cac192063ad9dae1984fa379dcf370417a11e580a37aaa1463","assets/index-DS_Px6mG.css":"81a047df62134810eeebff3ba1281d34f860fa029c9d6a7c9d96f98869b69966","assets/language.svelte-CohtG4-v.js":"adc849779d5e7f5669239b6a73bce2627f32c0bdf7930a27ba68bb825cd9d3e9","assets/notes-B7aNYAsW.js":"136fc62bb964b6635ec6ddd633ff434f6bb983d0c5aa713715b807d710273e00","assets/pairing-B8qsW3f9.js":"9ef7b205d4c16eafdb405d59c623794d248cb0077dadec521342e223f9c07668","assets/plain-BdVVEK8b.js":"e65c6905119b1d0742d070ba5cf909c8ffd2ff77cd56538d21f4a26b89f9ee8e","assets/plan-BR_8Vh6m.js":"47dcf59825f931b9cf879ec85c38e500c75e3936bd37a51f440035bc8c0ef3ac","assets/plot-BvcEVOZ1.js":"208f9081ed70cf4d53f8c27596825c718fdce69973ef293127a3c0f04f77ef67","assets/plot-CnsZ1jie.css":"0fd9465202f6dfceac29e67c17e5ac9fb1b7ba7615c1bb08782391b791d9f1e0","assets/preload-helper-BQUUbbNx.js":"fdc866086eb8bad8ef0387d4b59cdb01dd1e306f42453ee5e6b8b456102f1818","assets/qr-D15vRg4X.js":"dc5d1a8c7c42148c9ccc3bec037a2ada79d0d693645e20ba58b697f8e8dab47c","assets/record-BWyvB648.js":"99e0d2d9a74f1eda463bf09632de6725c24f3006c5db82cb89f9dda103e0d8d9","assets/remarks-D9qLbjdS.js":"d6f55227ab36d94ce2d7b926f383d9929d1047a8b12486ac1f1ea46ba79f53d8","assets/results-CbcE5eVm.js":"ee04dc7327fc190b4a0c6c7b2cae2c885361069615315460cd31a6b0a1070530","assets/route.svelte-CXmaFzVz.js":"7754dd8cfbd3068ab8fdf8ef8d9bb812e2c4e947efe359b23eb696bd84e66465","assets/setup-BxbTwvbL.js":"f3216cf290cdd595ec7f419080860910bfc042f5b43e7c1782e11de8d686e619","assets/thinking-CSvMUra-.js":"a01c099115d12447dcd00bf1ff63b5c0c9f557cadfdb42f8687a233eb53c48ce","assets/words-D5WqJS4v.js":"c6dd8cc0ace9436c5b95d28658ae78398e3e1e5542f79be8b3787333c94781f0","icon-192.png":"838415dafedc437e618d32d08525468cc0fdc832bf8b311d376d4dfb3de5525a","icon-512.png":"7faf3903cef657028b908bc60849cf7e39d2c04e7a4f601207db8f05bc4858df","icon-maskable-192.png":"5418f3217631d12a0fffc9a77189cd8f323e9eae2a9463300574d843cf0f79e0","icon-maskable-512.png":"e377d815f184ce54e5ded9b314561b9fca03d3fd0085dfe9ba594263ec03e055","index.html":"35b0ccfcaea8723f34ed757f474372b0af9321c90ac37845488ef959b9c956fe","mark.svg":"480ac5e0eac82fac8fd0e85ffc66a2077c90f4d35a7656d2b2ff96138f858017"};

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
