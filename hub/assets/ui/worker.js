// The page's service worker: it caches the app's own files, so that the page opens without the hub, and shows notifications where the page
// may not (src/lib/state/notices.ts). It must answer for the files in FILES only: the hub's data never pass through it.
//
// Each build has its own cache, which is complete or does not exist. An open page of an earlier build finds its later parts in that
// build's cache, because their names contain a digest.

/** The build, and the SHA-256 of each of its files by name; filled in by dev/worker.mjs. */
const BUILD = "a8f19c171832cf6a";
const FILES = {"app.webmanifest":"e80ce7a10f85db1bf865dd4c8b0034ba18b3974692a6eaed82d1f652ffb1e27b","apple-touch-icon.png":"8c1aebb921919b295d39564bddf446790e34f3fbd66f8681d4401878c489d39c","assets/Act-CMRCzyVA.js":"46cfcc1b1f7c460c57aca3ebf3736f3285ec12493ffdf66f3cb7097c3cd38286","assets/AddBoardsSheet-By6nodKF.js":"f7fb008d2b0c128eaefc265838c4683359bfb7243e975df2508d1724a44db7b1","assets/AppBar-C9kPTyzQ.js":"832ecd2922d6db82377e27822e67447ea52bfe6ba1229ec3dcac5c179e4ddd6a","assets/AuditView-DCSlTLyw.js":"f8bc7f55bda0cbc720f8fbffdde30ee2f37660298875d89639cb4550aaf071d1","assets/ClocksView-DonJOPWz.js":"6afa08f4d3f7fe8b20bdfb2acf13996bcee7404b261cb301058de722e1659121","assets/ControlPick-CrR6b2m8.js":"96f97ebed34fca0b6558b39022635021b74ae7b518c142baa5e0ab531c7d7e0a","assets/Dialog-PdxE9xgQ.js":"9812fcc94ebb44cf62f34b0849fc69df2f68bdfa5569507ad90f748349fbedc6","assets/EnrolSheet-HYDfrORr.js":"0444ed975b84209bf928e5a0fae8f3d61b361792258665fd793ca2d1bdfa493d","assets/EventSheets-Dk2DvrsQ.js":"097839e0c2384f748d2e0f44177399a6bbf866263851d1792815b334b03d60b1","assets/GamePick-C2M7SLva.js":"68aca6fe0d35678cf007167d9dc9d02c4cc2bd1b4cabc0bac8f2f934c15afe75","assets/HallMenu-BIywKj1B.js":"5ed62abb5c6f3ad1dac02b679bf70543bdad947f99a2da0bc46e7f6cdeaad925","assets/ImportSheet-ABvATxYB.js":"2fe8c7c9cb65eeeabe393f0203438a9bd58e8e7dbec0285102d0568f3712ceff","assets/ImportSheet-Dx7vMGQx.js":"b2f6c766c97df1b0a8e6f1c69b5a25bff3360c42e011bf939c81ddefaed9764c","assets/LinkState-DY_v73-N.js":"face9bc6ec59a597a0d9e2be2d470194831d3a48f8f50db10923ff0a1e50ac7a","assets/LoadFailed-C8rs6b7G.js":"7f1dde5eb659f130a0c67f8a3a4ac384c6232f224e51bc1e1eabdaf58117df02","assets/NewEventSheet-B0M3ZNCT.js":"d602de7b0bf90dafe651093340a8387352ec102170f72185ebc6772d28639de7","assets/NewEventSheet-D-KT-H0i.js":"7917294cd38c1cea2faf023dea5601b4e13a1bfe25da0c689030843e5e1119c7","assets/PrintSheet-72oaNsBd.js":"5bf279c67d2b192e393a1887452ca338fb2403bdda3c90c91ea8dc188be2ff28","assets/Qr-DwPoq4xs.js":"ade51182a27e9bba3ac86ad34669a7c275ea2c87d8b285141c676a574ff02005","assets/Refusal-Gzgr91g0.js":"40af1a654cdc9d043574ee225cf3e6baea503917589022500ad1099af0fcfc50","assets/RemoveBoardsSheet-CEosDzdn.js":"196b51c90f3394d5d2415e36adf5cd9a15f61f4c2fea8d0a3de8a8cf55b71e24","assets/ReplayView-n8BfIhzN.js":"6fc5cdde1372c0082246a02b805efdc5ffad63afd6938f1a1803bab81b663ed3","assets/RoundSheets-BfBQKxY_.js":"7c441c8103bc1f9cf6d9146e7e24b487391a5381726525831662524f92e4d630","assets/RoundView-SiXfmILd.js":"d4b6e0d12365c3bd2fa826373f4d8f2c0964adffb7b48cd7236ce12b9cc72c1d","assets/SectorsSheet-D5ddA2MZ.js":"a965f28daee7e9ad87b73698aae89a8cadda22317614b7c00d8da8983f5f6743","assets/SetupGuide-DKb4dCgr.js":"620cf97d629f9244cb60f5e7494c0cc6e423975a51557a102fdb2206145ee6e9","assets/SetupLine-B1ogkJlA.js":"a9f5c080420646637d6730863877042f391943d07a3f3843064fe343aec60a04","assets/SetupSheets-xfJy6B2d.js":"8341320a0d9b0bf5c63ff8e9c23f53545daf76a92e4cb009afa272b97ae81a46","assets/Sign-bkyp3xMa.js":"585b42be75abb08f049bbf705fbf66d91b936ff63f4ab6d79967db9d79b072fe","assets/SoundView-BLD3krmO.js":"c366bcbed3bd6d0cee002c0a1b905bf1d4c60d4e3e4660175915c631072e1ea1","assets/StandingsTable-B141mlGx.js":"7974adf0ca75888afbb35d73e3165b78e92dd14b71478fb61835cbaf78e72fdd","assets/StandingsView-CZa3pss4.js":"0c9da2ad2f01a252e2872911ea4ca3addd6c16129dc51ce72415dd043b6ceeb9","assets/StartView-D7pn6_mR.js":"e2e2d4fa468df72cc595ed2d3959e2a7fd2410a7514df77e3a70e4f3aa75f9e2","assets/acting.svelte-DVzDPyRN.js":"a2f76546ca01c9d4c424691a0f9429cbee6eb263943292d6d8d9684493e4a95d","assets/app.svelte-CT0MBmi0.js":"3a29aab9d5d1198a4e5db827c9644f621c35c1a0ee7c476617ca95fc6aaaf039","assets/catalogue-32XTvPQ_.js":"d038a1d8e63e568992a0a852f0bdfd1cd24b050a90ac4eef1f4042fcb1749cf4","assets/chart-Bt1obnF4.js":"6d4491c03f4079ac242cf02a34244c786e5509b7f057a6d73592a275145a6e3c","assets/clock-test-BaZURj7U.js":"513468b650db11ed5b072778094521aadeac1773f26b0bdda752db39f4ad51b4","assets/control-DnDxRxMP.js":"0b62ca5a659cc90735db09d9e54efd7623d00cc94df9a704509bc044938cc7ef","assets/de-CnaSTOKI.js":"75006cecd4d46674bb5ff354b570d78a6d7ce0532bcc8f4bcb167b28783e1e2a","assets/decode-Cb39y0Pn.js":"3482590646d178854743c23b14afb1410a00a9d83aeebc40a0f0cfaa38ced9a7","assets/disclose-version-BI9mTryv.js":"b02d38e3e31e3f1208c4f7407c2f714fb75f9c205c85f665d94d37d7c5d86705","assets/download-vWOnvHa4.js":"981768cfdc09e467df99d1d0077bac86679420b593c91e2b81fe36e906f44b18","assets/each-board-Fs7UkXFh.js":"2892b3dba9ba96324011dfc6c789fc3f26c6429d9f7a42374738a46f6d72e47a","assets/en-EE5KE-7X.js":"ded23714611a49a6c19e8b0a819734b05e5a63ad9a7a53443adac7174b14af82","assets/es-CyKGQKSf.js":"e2c3006e79f3cd4d1bcefad81ac705192c23748751f5e451b9b56ca529570732","assets/find-C2FlocJX.js":"ff8934249a3e6ad1ee84974e862cede20a941ce86c39c899d720521d5574536f","assets/fr-Df5xazkz.js":"3395250f37f765a2b10ff932608fd399021c1c351f71a8c9ae0e165feb2730ad","assets/guide.svelte-CPBLoMc0.js":"fce43a1d1806bc662399871c1c0c6788e451a7dac380d2c2822a44958dd3d1d5","assets/hold.svelte-B0K_3jxL.js":"506300da0497740907336e2e7aee85e442e15c724d99b7688b6fe8cb8f989e6c","assets/index-B6NWW4hX.js":"7b255ba5a4dabb2f6352be91999b6df1d63a3c6a4e9b34f8969df4ce7c898d00","assets/index-DS_Px6mG.css":"81a047df62134810eeebff3ba1281d34f860fa029c9d6a7c9d96f98869b69966","assets/language.svelte-D2-dGAWh.js":"74c5f5dd9ad308389d9687d317964e9d9f205148b4fff2b865220228670451c5","assets/notes-CRMi0H5g.js":"7841605c585e7790dc196f6ca8f7010be421a2052816ce9fe8f5909723ae57f1","assets/pairing-BFoWxz6Z.js":"caa5402a0d5e8fac2938100dcf6c5176683d4d69cbb864b756682ab405173736","assets/plain-BdVVEK8b.js":"e65c6905119b1d0742d070ba5cf909c8ffd2ff77cd56538d21f4a26b89f9ee8e","assets/plan-BR_8Vh6m.js":"47dcf59825f931b9cf879ec85c38e500c75e3936bd37a51f440035bc8c0ef3ac","assets/plot-BvcEVOZ1.js":"208f9081ed70cf4d53f8c27596825c718fdce69973ef293127a3c0f04f77ef67","assets/plot-CnsZ1jie.css":"0fd9465202f6dfceac29e67c17e5ac9fb1b7ba7615c1bb08782391b791d9f1e0","assets/preload-helper-BQUUbbNx.js":"fdc866086eb8bad8ef0387d4b59cdb01dd1e306f42453ee5e6b8b456102f1818","assets/qr-D15vRg4X.js":"dc5d1a8c7c42148c9ccc3bec037a2ada79d0d693645e20ba58b697f8e8dab47c","assets/record-Cs0zPmPi.js":"2dad32174fb20edc4a34ca6ce0cbea1e73f74a518a6cd01066ffb4f186497ed8","assets/remarks-XFDLJS_w.js":"6c7b9e05645023dfbe9a273916e4308c3a2f0c955b55ddf31b2308b09802ec7b","assets/results-BC8gDDBJ.js":"ee5e1a802979988a34aa9c41fbaaef19258fe2028ab533b0b87b8d477571b98b","assets/route.svelte-DfEojY5-.js":"e3e2cf7bfc7860908f584b516515599192513f5697b186825e006e961dd653c5","assets/setup-B9YVeT7q.js":"ac0bd8502f2f064788bdd0e282d0ebd462d4b1a9af160b177d790f8a472c8d50","assets/thinking-CSvMUra-.js":"a01c099115d12447dcd00bf1ff63b5c0c9f557cadfdb42f8687a233eb53c48ce","assets/words-C9LF5IWU.js":"5369fb035e4dd9e74cf4438c58ab8e4e2a459e4881eb14a14de2d44b142f3367","icon-192.png":"838415dafedc437e618d32d08525468cc0fdc832bf8b311d376d4dfb3de5525a","icon-512.png":"7faf3903cef657028b908bc60849cf7e39d2c04e7a4f601207db8f05bc4858df","icon-maskable-192.png":"5418f3217631d12a0fffc9a77189cd8f323e9eae2a9463300574d843cf0f79e0","icon-maskable-512.png":"e377d815f184ce54e5ded9b314561b9fca03d3fd0085dfe9ba594263ec03e055","index.html":"6b29191249abfc5435393aa03b6c088dba1ce4affecfe2f53987a75cf52c8b74","mark.svg":"480ac5e0eac82fac8fd0e85ffc66a2077c90f4d35a7656d2b2ff96138f858017"};

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
