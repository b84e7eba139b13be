// The page's service worker: it caches the app's own files, so that the page opens without the hub, and shows notifications where the page
// may not (src/lib/state/notices.ts). It must answer for the files in FILES only: the hub's data never pass through it.
//
// Each build has its own cache, which is complete or does not exist. An open page of an earlier build finds its later parts in that
// build's cache, because their names contain a digest.

/** The build, and the SHA-256 of each of its files by name; filled in by dev/worker.mjs. */
const BUILD = "ec44107fb51c6632";
const FILES = {"app.webmanifest":"e80ce7a10f85db1bf865dd4c8b0034ba18b3974692a6eaed82d1f652ffb1e27b","apple-touch-icon.png":"8c1aebb921919b295d39564bddf446790e34f3fbd66f8681d4401878c489d39c","assets/Act-CMRCzyVA.js":"46cfcc1b1f7c460c57aca3ebf3736f3285ec12493ffdf66f3cb7097c3cd38286","assets/AddBoardsSheet-TAxXGkxh.js":"821783e53609b9fcbf6f83c73e90730b0c81458ee01f0f36143ff85bc81200a6","assets/AppBar-CYs3vTds.js":"1cb4ebf193b5644ce5102c97b034f8751c8a43625587ce1f7695efeeda9fa015","assets/AuditView-CF-bRaqs.js":"c4ff809013594c51e7e3fd7972b57f119693eddc730aa50c56f63a58c5a7bcd8","assets/ClocksView-BqRJJwn6.js":"5eca73028fe11dc0a8c31f6deeca3468f3f500198c7fa0468e28c8727203e79a","assets/ControlPick-DWGQpIfI.js":"cba4cb5ad27c45ae61cd21dfdcac727280cd728c4595eaa5ced641b5efcf46d8","assets/Dialog-_kDljlw1.js":"3573fdaef66e8111c2abe5c9f62efc702ab911fcc7c1a6d344e1a779b9e7c986","assets/EnrolSheet-DjpwqZsv.js":"cc833311423a55feb0de83bfb74cc9c8a59ad1cc078208cfce123679c0797f51","assets/EventSheets-C-pYSKmK.js":"e971a697b61e345dc9443540a5aff63c37397047e8adcb4dff2623a786be91eb","assets/GamePick-CSecr_bJ.js":"4cff657be3c3478ece86f23b848681a36848f961d117fd06132760811286e1e1","assets/HallMenu-DskQaurF.js":"87f10a9268d3722631b2adf3fdd4341a1d6cd31a42d73ebf3d74646c069a766a","assets/ImportSheet-8RLxtu25.js":"93e58b30ac9cbcc315374c4289202c5a07b6080a49a83ed2e4bf98a8aef6ad2e","assets/ImportSheet-TCa6Gs2G.js":"b0e370449a0216406fb61282d276aa92ec457f93a2f4c0923471ca2ca0956a12","assets/LinkState-D8kAWIfM.js":"854ad69f55b9dd28619af2d1c3b93ba0ef0e6a2b528037632296dd8b30584589","assets/LoadFailed-CSSHVhPW.js":"a332dadb651b0cbb10adc6518b66f2d1581417c6b74d7f66e5ab5250505ab2a0","assets/NewEventSheet-PuRZOwOK.js":"85ce5a465f87fe318a645fc981e02c400a68ad5d47386da417e8ba96293e8e8d","assets/PrintSheet-EJVlp-pW.js":"74d39610cc2d11b5ef7456113648f141ada680b8088b1e1e0729eabbe24a55ac","assets/Qr-DwPoq4xs.js":"ade51182a27e9bba3ac86ad34669a7c275ea2c87d8b285141c676a574ff02005","assets/Refusal-Gzgr91g0.js":"40af1a654cdc9d043574ee225cf3e6baea503917589022500ad1099af0fcfc50","assets/RemoveBoardsSheet-CaOsmkF3.js":"4b3c1823b0e8ba06dd0c7300017e15f196e39f48a261d5b0d72141ac8954c07f","assets/ReplayView-znjY8L8C.js":"45de5fc62d203ce208c15919cc4f2ecb5362e59d59cc8599a46be6c2b24ce3d7","assets/RoundSheets-5N1bZtZ0.js":"f3079b8f42f716ea3636f23e968904f2436c993e67314f4bbf495349480c296c","assets/RoundView-Dt9qoY8c.js":"bdc452bcc25823bb63ed33aaf266f24e1f80487be0e14907e3c8ea00c2d8293a","assets/SectorsSheet-DfiZnDzz.js":"8e97b8364aa899c9bd242d981589f3892fe0ab6fcdb8163474d8f145abde7a21","assets/SetupGuide-CdZm8uAN.js":"9dafff7c73ffa4fa3a42b47d6cd26f8333726df137835d2d39eab15ec99c1159","assets/SetupLine-COxzy9P0.js":"5a1ea2a61e4eb6ba770c1421e9a8395f7ecd76dd4700f30498e8d912b6335e9b","assets/SetupSheets-BtPtz6AC.js":"f4ad66f454ab6e0e32139da3528181c1eefb8c5676c1ddcb80960528d47828db","assets/Sign-bkyp3xMa.js":"585b42be75abb08f049bbf705fbf66d91b936ff63f4ab6d79967db9d79b072fe","assets/SoundView-CChR4_iT.js":"a82b9bcd868ebe2d39845f24fcf76ec632861af79a83c06345c879e5d95d7033","assets/StandingsTable-D5iNQBKh.js":"86679c33b42922d87954c02374a13c7b3e17bfbf868e2f2ac853eef6b54b63dd","assets/StandingsView-DwNSJQ8Z.js":"1cdce5730a0d6da1e4bc0bb29d99645b34880180814bae7e06b7392d7d868dee","assets/StartView-DNQTlBqC.js":"722d45b8e877340574f86e6715efdce3a95094b1173f07891901d3bd4c113cff","assets/acting.svelte-DBu9yX_R.js":"42ce926f8e5babf68569129df4ad4ce4b9b77006433be2822dd8ccf5dca6cf20","assets/app.svelte-B3vdUloT.js":"9bf388581f04a73dc4231297d765d33c1b33df02ebbc2faa8235b288b3c73f2a","assets/catalogue-CBeTRpHK.js":"4c9992db71eac387f07e502e821b94ea6dd8d16f7a8946b6efcc6768f972cb84","assets/chart-Bt1obnF4.js":"6d4491c03f4079ac242cf02a34244c786e5509b7f057a6d73592a275145a6e3c","assets/clock-test-DyVpd67n.js":"766dee1da97923e75bdaa0102fdb516d848e68334e2af99fcfd5aec8f4c098f4","assets/control-CgQ60Twu.js":"881384beda93a35f8497b7acbbd2fc92d71cac7a85c10623a0a474a0cc9166b5","assets/de-CFTZdHJ0.js":"c5d90408e42ec421731f94a6b9591e95713ba57aef0d185041f0c5af62a584eb","assets/decode-Cb39y0Pn.js":"3482590646d178854743c23b14afb1410a00a9d83aeebc40a0f0cfaa38ced9a7","assets/disclose-version-BI9mTryv.js":"b02d38e3e31e3f1208c4f7407c2f714fb75f9c205c85f665d94d37d7c5d86705","assets/download-vWOnvHa4.js":"981768cfdc09e467df99d1d0077bac86679420b593c91e2b81fe36e906f44b18","assets/each-board-cAaUeZLY.js":"522d630bdc1cdd01e014e32d1786b62fef3fbb2f4f6cd3e26782f550f4ab03be","assets/en-CpOX_tvY.js":"421b13c39646135d9c32d7182a543ba9db93cda075b59afcb5b52ba35f4bf85c","assets/es-BUouMOiX.js":"88b86932d39523f36850a230a670068959d56e48bf3dda38b3b6899fd76093e5","assets/find-nzmVYBRg.js":"21924a1a6bc59b1218cba1ceec021289ad1ea5e50450cb87b4dc9ddef92eed17","assets/fr-CjrY7LvG.js":"9249a7a07046b8319c8f34b77d6c596214145175b520ec529b2ebeb23f070d52","assets/guide.svelte-CPBLoMc0.js":"fce43a1d1806bc662399871c1c0c6788e451a7dac380d2c2822a44958dd3d1d5","assets/hold.svelte-BLbfxalr.js":"e52b98f6ad24b3d56a799dea5df02f951e1509c4ad38dffa8aea63da546eac4e","assets/index-B9E2weyX.css":"9bf5c9902355e22a7b2e7fa6f2b06ecd0aa4bc2b4597838d6d1716479c93fa78","assets/index-BJwC5Eay.js":"4bdaa89e58627910cdc426949c9d465d8863329435473fe614bdf732ceee555f","assets/language.svelte-BcTjaV8w.js":"90019bb20528986f1153c747bb80f2ac30ba4c813e06205593887cf7e0b2ad9e","assets/notes-DkB08rvm.js":"8cb9ee10637eb2d37a73d56de3840409dc48c6e43a2a71e4cbde429e50d84784","assets/pairing-CmOQ-CT-.js":"1a1a7d9a622539385fefe5b5aa92a5eaa5d0ac169151cffafe6bd3274e07dbb5","assets/plain-BdVVEK8b.js":"e65c6905119b1d0742d070ba5cf909c8ffd2ff77cd56538d21f4a26b89f9ee8e","assets/plan-BR_8Vh6m.js":"47dcf59825f931b9cf879ec85c38e500c75e3936bd37a51f440035bc8c0ef3ac","assets/plot-BvcEVOZ1.js":"208f9081ed70cf4d53f8c27596825c718fdce69973ef293127a3c0f04f77ef67","assets/plot-CnsZ1jie.css":"0fd9465202f6dfceac29e67c17e5ac9fb1b7ba7615c1bb08782391b791d9f1e0","assets/preload-helper-BQUUbbNx.js":"fdc866086eb8bad8ef0387d4b59cdb01dd1e306f42453ee5e6b8b456102f1818","assets/qr-D15vRg4X.js":"dc5d1a8c7c42148c9ccc3bec037a2ada79d0d693645e20ba58b697f8e8dab47c","assets/record-D_ZGB5SI.js":"001265c6b8f28f3cc295e9264c982995ef378c8d71358bbf526d61dafc483cbd","assets/remarks-DEok6nuc.js":"e2271b76c8c10c6a7f0ec12546397e02c7f0541262536ba9c3338e25bfb23c91","assets/results-DRR-pz1i.js":"0ab6319ec7595b1db72c1272fd4e0e9ae74795268ad28e95abe57ea9e7e2b1da","assets/route.svelte-euAw4LPi.js":"de753ce3043fd352699d459083a55f2f2e60e12e50eaba13a43eb25f6786ced8","assets/setup-CNu7rr5_.js":"c5acd2d7dde46a9acb1cfc04b7b0cbb754e268a79331bd9e330bf0d75bb274e9","assets/thinking-CSvMUra-.js":"a01c099115d12447dcd00bf1ff63b5c0c9f557cadfdb42f8687a233eb53c48ce","assets/words-Dh1rdoRc.js":"87421712c6a4652c6228b506741a4b2c58953c19607c8b12cb38fd4ce0e50ba5","icon-192.png":"838415dafedc437e618d32d08525468cc0fdc832bf8b311d376d4dfb3de5525a","icon-512.png":"7faf3903cef657028b908bc60849cf7e39d2c04e7a4f601207db8f05bc4858df","icon-maskable-192.png":"5418f3217631d12a0fffc9a77189cd8f323e9eae2a9463300574d843cf0f79e0","icon-maskable-512.png":"e377d815f184ce54e5ded9b314561b9fca03d3fd0085dfe9ba594263ec03e055","index.html":"f628089121c9718c595af4100683ca1c76387f6746b53232d4c4093539cbeb1c","mark.svg":"480ac5e0eac82fac8fd0e85ffc66a2077c90f4d35a7656d2b2ff96138f858017"};

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
