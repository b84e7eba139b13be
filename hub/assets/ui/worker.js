// The page's service worker: it caches the app's own files, so that the page opens without the hub, and shows notifications where the page
// may not (src/lib/state/notices.ts). It must answer for the files in FILES only: the hub's data never pass through it.
//
// Each build has its own cache, which is complete or does not exist. An open page of an earlier build finds its later parts in that
// build's cache, because their names contain a digest.

/** The build, and the SHA-256 of each of its files by name; filled in by dev/worker.mjs. */
const BUILD = "aee4e1930f366ffe";
const FILES = {"app.webmanifest":"e80ce7a10f85db1bf865dd4c8b0034ba18b3974692a6eaed82d1f652ffb1e27b","apple-touch-icon.png":"8c1aebb921919b295d39564bddf446790e34f3fbd66f8681d4401878c489d39c","assets/Act-CMRCzyVA.js":"46cfcc1b1f7c460c57aca3ebf3736f3285ec12493ffdf66f3cb7097c3cd38286","assets/AddBoardsSheet-BpoRztHN.js":"f6f8a40acce82afd72ccfe488e08be6ed445bc3561ec5812afe10c8727e3ef44","assets/AppBar-CPwYrR5r.js":"b10771a34fa47f8ea9f181e1e61d6e919a90eafbb0f9701eafec6cb81c0cf161","assets/AuditView-U3bP9dSi.js":"6c169d44f9dabc41cd91d07b6879c764c360f91519cdf4e22a31cd04f0eedf87","assets/ClocksView-CbjbaRe-.js":"9e55b262c5aaeddea5ec428dc3c212eff7c87f1adb95c23ec88d5c26420e9dc5","assets/ControlPick-CMhJYXKK.js":"3fe1968ccac5331db2df7a5b06b240b3297b2cba554a996aad59d13950e8077a","assets/Dialog-B4PE235v.js":"57feb3fec1bb5553352a9d98bfa2b7b32264679272baf2a31748f7a893bd34f5","assets/EnrolSheet-CmQEI-lG.js":"8b83f9b77544d0293bef8b3137a4ff42a0c182c68a87a67e70cc9ea27c3ab379","assets/EventSheets-CsZT0kM-.js":"af11c3d979cd5b69bf26e07b3364b2e2bfb949b3c91088210eca3c90061a85d6","assets/GamePick-BLjsIUjX.js":"80f52d051146c564a6ffd6f0f6226477b8f99f7e3c5e1dfbffeba2ae9ff12b7c","assets/HallMenu-2UTJfBN6.js":"bb6cec3b6d9c155d2455d981ab86a09caa3e723d26ff2fdb39c24711f9d6b931","assets/ImportSheet-BWu6qA78.js":"72605b1e8289f4e90a1023be914e4fa30483b2ae0b00c987cdf10f7cc9a2eee3","assets/ImportSheet-D9Kz-sFi.js":"f9762f5fe62af90de048cbb93fc3fbaf41d06df7b4751260b7b519206e1203fb","assets/LinkState-CMYWB_gd.js":"bdfcb9261b057e99e677add36487ed0a1af3cdb86f3499f00804ed06370b1df2","assets/LoadFailed-mP8PgdhR.js":"b8f59d281c152f878393315790dd5b0e311b2cb00078f657e04b099848824b2f","assets/NewEventSheet-CdR_tS8q.js":"20c4e6743101a14b61f0cee5cb082d2b407e8a380306528270a65e750151c68d","assets/NewEventSheet-LjoNbAvY.js":"d39535ab7f1d7171f96f446134d369141e1c3c436dab9f8740d1a0d5de5e9fce","assets/PrintSheet-yi5JS7dN.js":"b7f94af943dc218dff0b91864997c3d46ee99cf2fa5b11c3fc4d260105daaf76","assets/Qr-DwPoq4xs.js":"ade51182a27e9bba3ac86ad34669a7c275ea2c87d8b285141c676a574ff02005","assets/Refusal-Gzgr91g0.js":"40af1a654cdc9d043574ee225cf3e6baea503917589022500ad1099af0fcfc50","assets/RemoveBoardsSheet-CGI_RFkt.js":"6ccc1d392f23c7217ed1109cda6078df1a89634241c3ef4904c1ae6fa78e0321","assets/ReplayView-D5ifnefP.js":"e3b4a9cfc0db4d6979c0476ff122ebe6f3ab0a37972830326438149b7763d913","assets/RoundSheets-ChOo-nnW.js":"160b41cf57265bae1d02fd22cbbb828104065a34c0ddaf57e880e63f91ff327c","assets/RoundView-DN-_DX_p.js":"6af12005cc5f528c40f8432dcc97a2b067a93ac6fd152668e2a73175c202c394","assets/SectorsSheet-CI2lhTnc.js":"b048d2ca9a5ad35c83a28ae98026ba58db26d57c9da70c7e196edba8941ccb3d","assets/SetupGuide-BlsZYSeB.js":"0a55ecc9cfc590e19259f2ea9c42957924d26296a45d926d30173511cfae540f","assets/SetupLine-Cyciu3ai.js":"b1dbdf6d0a6b5dda52c068e932933ffc4e61970ae481bd6f4a5ae8bde931a9db","assets/SetupSheets-BpdOugAP.js":"6e8ba94684bf0fa9e9a2222cbf851f95eb4c71ffcd3f4667f4d83ae9d0cb9161","assets/Sign-bkyp3xMa.js":"585b42be75abb08f049bbf705fbf66d91b936ff63f4ab6d79967db9d79b072fe","assets/SoundView-CoDs8m8K.js":"9b1db3f2ab856aa6d092305260e0912623a81fb7f07fdc38b9318cefdf9a18f6","assets/StandingsTable-Do8mBAdY.js":"cbd627d058a18d74d10797b38c7f902f29bf8a3293dca6a2f5627ba0ba6fe623","assets/StandingsView-wCVoyRQG.js":"7e33711d8c5e32a7db67d0fa80b043c26253ec58be41548e53b0c123e2428140","assets/StartView-Dqf9vJGb.js":"7b46d448ff629390213c7070b39eae071130f80f0eae42954b6cb35dd4f77b44","assets/acting.svelte-B7iCWgaD.js":"1031615f8b4d04f57f7c74c3a05c0c55fb16a9c560c98f754fcbf7d4502edc22","assets/app.svelte-D5IPWF-m.js":"966cfc2d589a918ab61f483fb631dcceac0ff04a9f00bc309cb937211f2b4c60","assets/catalogue-CdH22gyQ.js":"b3bc793d686532c13ceb87e860c552b902060c67788fa44e410807b260d86b36","assets/chart-Bt1obnF4.js":"6d4491c03f4079ac242cf02a34244c786e5509b7f057a6d73592a275145a6e3c","assets/clock-test-jda_ALI-.js":"561e8110948c28e4e9e566b0cb70b37e1e219892e82befff872a62459cf67fdb","assets/control-CsLxW_0t.js":"9cd2bf92abdc1442fbd94ea3670037682fb738c3ad8934e7198cf022b037cb3b","assets/de-gjZTDJPM.js":"6e6f53e412f6513f90be0836912801b4b8162b37e11befc01e36efe5b969c47c","assets/decode-Cb39y0Pn.js":"3482590646d178854743c23b14afb1410a00a9d83aeebc40a0f0cfaa38ced9a7","assets/disclose-version-BI9mTryv.js":"b02d38e3e31e3f1208c4f7407c2f714fb75f9c205c85f665d94d37d7c5d86705","assets/download-vWOnvHa4.js":"981768cfdc09e467df99d1d0077bac86679420b593c91e2b81fe36e906f44b18","assets/each-board-j5hTwfAh.js":"daea7789ea523c03c45a84fe53c3439e95fb762ba24d2ddda63f48980142f447","assets/en-DkToZf8m.js":"1fcca15079fc64cd6ceac587252cef29e9965a4cc1c5b0651c2fd13e22109972","assets/es-DhdjnJKk.js":"297a62ee1c7beaac8f9c8ccc17e83a1befac539b59a12af03c91785273c4ed6a","assets/find-3alfFBe-.js":"11d766df2346b85200e029d9595e8b80cafecc8244f41ad40e09f356047da26d","assets/fr-Bp3PzpWW.js":"fafb85e6c991ccc01929075fd64b8338172fa37e291fb5a9db4a2445c972135d","assets/guide.svelte-CPBLoMc0.js":"fce43a1d1806bc662399871c1c0c6788e451a7dac380d2c2822a44958dd3d1d5","assets/hold.svelte-BIOUpc_f.js":"cc7b7a7b05fbdda9b2d77e39f298232748ecdf849848f2ff57b67a4172263958","assets/index-B9E2weyX.css":"9bf5c9902355e22a7b2e7fa6f2b06ecd0aa4bc2b4597838d6d1716479c93fa78","assets/index-Bz_rQkIQ.js":"4c55a3334043edf7c78c35b00122a3a9422ba591e9556c8e0edb393d15b1d131","assets/language.svelte-BYzQoFkZ.js":"15af326b913dfcd6291f42b136c2bb5b47ab7f633f2e0c5f4bdd52fe68279cf1","assets/notes-D4QNwTgD.js":"a5601dec677d3673aa73602ba71a9f76fa332bbfff97cf1c141980252a06c4e5","assets/pairing-B_m8bn9J.js":"df2dd734b31640e1a8489ec95dd38147906162acb492ac6c5832b76c0de5ab79","assets/plain-BdVVEK8b.js":"e65c6905119b1d0742d070ba5cf909c8ffd2ff77cd56538d21f4a26b89f9ee8e","assets/plan-BR_8Vh6m.js":"47dcf59825f931b9cf879ec85c38e500c75e3936bd37a51f440035bc8c0ef3ac","assets/plot-BvcEVOZ1.js":"208f9081ed70cf4d53f8c27596825c718fdce69973ef293127a3c0f04f77ef67","assets/plot-CnsZ1jie.css":"0fd9465202f6dfceac29e67c17e5ac9fb1b7ba7615c1bb08782391b791d9f1e0","assets/preload-helper-BQUUbbNx.js":"fdc866086eb8bad8ef0387d4b59cdb01dd1e306f42453ee5e6b8b456102f1818","assets/qr-D15vRg4X.js":"dc5d1a8c7c42148c9ccc3bec037a2ada79d0d693645e20ba58b697f8e8dab47c","assets/record-JxYkc_QX.js":"0a1fc74c59b127db7dac3e4c2f78aa5ac291db435287b5701904761b98d3d9b8","assets/remarks-BCTKoo7q.js":"d609a9f068d377fa3e1a210d1ab095c603686cf2e4247ad21b198b3f58b7eee8","assets/results-CRM1gyp3.js":"ae5d018ae8d00acee6ab231773744d77ca4eec874e96e10aff0cfc1cadbd0192","assets/route.svelte-BUSVWYr6.js":"f2bc71f9c71ef28c2581c01906fcb73743df29a5648822ac11a62250e158e314","assets/setup-Dzv3MXPQ.js":"12ff2a47b05c95915e77e032b293ed2c551d8d81d536265805b30388f87592d3","assets/thinking-CSvMUra-.js":"a01c099115d12447dcd00bf1ff63b5c0c9f557cadfdb42f8687a233eb53c48ce","assets/words-Ca35dskz.js":"28d4fb03f3068bad7861679ee07fb2b58bf8de090c2528df2826410b982d5322","icon-192.png":"838415dafedc437e618d32d08525468cc0fdc832bf8b311d376d4dfb3de5525a","icon-512.png":"7faf3903cef657028b908bc60849cf7e39d2c04e7a4f601207db8f05bc4858df","icon-maskable-192.png":"5418f3217631d12a0fffc9a77189cd8f323e9eae2a9463300574d843cf0f79e0","icon-maskable-512.png":"e377d815f184ce54e5ded9b314561b9fca03d3fd0085dfe9ba594263ec03e055","index.html":"3ea2c33f833f272bd60f801b1f34742dfcfed763dd6710f92a675ae0003f9f7b","mark.svg":"480ac5e0eac82fac8fd0e85ffc66a2077c90f4d35a7656d2b2ff96138f858017"};

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
