// The page's service worker: it caches the app's own files, so that the page opens without the hub, and shows notifications where the page
// may not (src/lib/state/notices.ts). It must answer for the files in FILES only: the hub's data never pass through it.
//
// Each build has its own cache, which is complete or does not exist. An open page of an earlier build finds its later parts in that
// build's cache, because their names contain a digest.

/** The build, and the SHA-256 of each of its files by name; filled in by dev/worker.mjs. */
const BUILD = "6461058b889883e9";
const FILES = {"app.webmanifest":"e80ce7a10f85db1bf865dd4c8b0034ba18b3974692a6eaed82d1f652ffb1e27b","apple-touch-icon.png":"8c1aebb921919b295d39564bddf446790e34f3fbd66f8681d4401878c489d39c","assets/Act-CMRCzyVA.js":"46cfcc1b1f7c460c57aca3ebf3736f3285ec12493ffdf66f3cb7097c3cd38286","assets/AddBoardsSheet-UTPZkRLT.js":"8087a2060ef520e91e76a92eecb45b8b7cb38eff62ada23b9c3dae9e1a2034fe","assets/AppBar-CTGsS5SR.js":"8d53e6ce3d29dbe82488600e04689b0f3b3b4e85d275eab4d7f4adc31b1e37f7","assets/AuditView-DlnDBqpy.js":"f5013efc885d6c3c4cd7cff31d8e05783281a3b572b2ffea5f2ae7535475c0f1","assets/BroadcastSheet-CnfpendD.js":"639fcc0df40c6f670177f7312f147520974d552596479939b759cbe7a15df004","assets/ClocksView-Bqd4ojUL.js":"89e402748ba2c5d9bacbf4c16b2bcf7744bee5824bf898c4dbbd45211be1c7d4","assets/ControlPick-CPNYYz90.js":"7c97ec4fbf64353839cc569d2abd4efe263fd27f4763fa7dbe44e6d2e4575ae6","assets/Dialog-DM5XZ0ZW.js":"0e132c014299b0fbd98287bbbc7e3ef88997c1aaedfdedd09ade720bcaeb637e","assets/EnrolSheet-iQDJFnaI.js":"6b24f834d3838a58f966b1af3e48c1e9710cd692ad8f70eacf8099cbb97c2cb1","assets/EventSheets-63GgiE76.js":"c045c07fa09acedc3073a437997bbc34e4fb7ce80ec405ef394dbd96e4e584c7","assets/GamePick-D_L-8Fj7.js":"26b47e8c4516523f454e091d43ee46c7e9d76aab1a6c4e9de1ec2e989445a1c3","assets/HallMenu-Csi5IyA9.js":"d3f4b90002086f5ed13de6242f1155df5b13e81dbf2483380d0fbed18f2f6241","assets/ImportSheet-BRhMTsHG.js":"d6c8f871abcff9eec2d9303829b8d1d387104be229abcb2b0b4f0becea6dd8ea","assets/ImportSheet-kVO3w5i-.js":"d9a507350478108cf6d2cb468205c7902e6034a42b10898b6b76c90aa153ab40","assets/LinkState-CTkTtEUN.js":"a24b6960f86ecc299a9722ef6cd915e1e5a97ba4a27ae46322474520d3e00938","assets/LoadFailed-HZW6XSxs.js":"5bf6601ee3a6fce6a707e1b0822612190d4521d1a57d573dab8a04b98be57431","assets/NewEventSheet-BuRBiZah.js":"0562ecd89ed65274324b01a5e55c6ef3c857e307d8788c4f01f730f9b63745de","assets/NewEventSheet-C5xT_Qam.js":"a1aacbba20f8534113471d603a08f6bcde7052a5d2df7ab686baa32276e8d187","assets/PrintSheet-BzqX3Bkq.js":"37a185fb13070fd922521c01ebde3fa5fda523dfd478ef171b2f100a37a24928","assets/Qr-DwPoq4xs.js":"ade51182a27e9bba3ac86ad34669a7c275ea2c87d8b285141c676a574ff02005","assets/Refusal-Gzgr91g0.js":"40af1a654cdc9d043574ee225cf3e6baea503917589022500ad1099af0fcfc50","assets/RemoveBoardsSheet-C9XVTNUI.js":"69addd4d6f76fb6e717a68f7e1f56e8723a85ef94903ef752ee1550bfe947025","assets/ReplayView-D0v66naK.js":"87eaa4e889a7adfe96472118e74ba1a86646b73030f3efcbb2dd72545d802602","assets/RoundSheets-CRsPW2pi.js":"dea0c31a9615e658a9c80c7b6ca11c27bee1d7fe5b19cfc24540a633563babcb","assets/RoundView-jadxN_po.js":"50179faf641db9a3b63843c12dde2d3d35a5f42f08e2cabe8f082d29311a48fe","assets/SectorsSheet-CP-XBvOw.js":"c3f679c1ee1739fb6a3b25e4d6ea25ca2bc2993e6b2515782b3553d9d7734af3","assets/SetupGuide-F1BPiGNs.js":"3da6d6dfc229ee0d161f9f685f907ea9b2c3951e2ee3f998fd911c89e9afe7d9","assets/SetupLine-DJB8A7j5.js":"157733dddcaba39a8bf3b1215b9b0b6644e4300aa4526bc80c7a1b164b0de914","assets/SetupSheets-DJw9QsEA.js":"c99935410083c27a2e5391795ccdd3a1d5bb2bbf185ff778c2c12f63f4c55228","assets/Sign-bkyp3xMa.js":"585b42be75abb08f049bbf705fbf66d91b936ff63f4ab6d79967db9d79b072fe","assets/SoundView-CjY5XWfJ.js":"17b2e88e95936073cfacf1623d742d7f165848eb4761ad01acb87a5956d8e4ac","assets/StandingsTable-CLEpgSUu.js":"b01712c27b65a5bd9397fa5f840e31419973b70c283e2bcfdf4f15f2024fce18","assets/StandingsView-CWkeejaq.js":"1dcba561f05dde9a83283c8a7997624cabdafb7c08ef853afca61d79496bdc28","assets/StartView-BcZRZzLj.js":"922a3022d124d7281bd714b381440bddec674a97945b11a9efc86538db3e8b0f","assets/acting.svelte-DjiYvL0X.js":"981f5f62221fc5bb38d501238ca320661677a432c210a05d0bc9f1e8442ba402","assets/app.svelte-DmtqHAiw.js":"7283a8640a1d79b720a4674338412b8116920a3aac122b967db703a3054eee6c","assets/catalogue-PmSGWD9F.js":"222a2297d8061766c671678693b8fc18ad19886af2875776e939d6fc8d9f313e","assets/chart-Bt1obnF4.js":"6d4491c03f4079ac242cf02a34244c786e5509b7f057a6d73592a275145a6e3c","assets/clock-test-CpmEmJgI.js":"59f58966826c4cbec91027f637f7b09be921d9671510caba87fc25e22e793f42","assets/control-D3z0OISB.js":"14fb905cf293e674f3cc2568df568e73ae74092b6dd05b7a548720a97f892157","assets/de-CpPKl6pD.js":"0d193ce0ee5feaa102132713910d53ee569bc626de4e40b1fead5d1c0bff1b0a","assets/decode-Cb39y0Pn.js":"3482590646d178854743c23b14afb1410a00a9d83aeebc40a0f0cfaa38ced9a7","assets/disclose-version-BI9mTryv.js":"b02d38e3e31e3f1208c4f7407c2f714fb75f9c205c85f665d94d37d7c5d86705","assets/download-vWOnvHa4.js":"981768cfdc09e467df99d1d0077bac86679420b593c91e2b81fe36e906f44b18","assets/each-board-WziAWo1X.js":"dce165d9d15fe5911f87c3fd74ac6f31ce33a9af779833639acbcf78f878898a","assets/en-BFDdl516.js":"5064a07031d2920e71c8b420be5c310e775de5c532379b4a7c13838829c27c17","assets/es-CgkRG-U6.js":"0ce618f586287ef7025d600ada6262792c2d33da6914eeae25be099ba8c1b1f9","assets/find-DyRdlGgv.js":"21c9a7f1de76aa402637c79d056896ba1ca643dc9eed91a00b9e7a3b837b9d2c","assets/fr-DYPrKCoQ.js":"bddbef02bfbd7765cc739a7d9f662755cd77af0099db4a78ab289e9a73d48b57","assets/guide.svelte-CPBLoMc0.js":"fce43a1d1806bc662399871c1c0c6788e451a7dac380d2c2822a44958dd3d1d5","assets/hold.svelte-CPnzv52Z.js":"7b54d638122c9faa60131d8229d52efbe3721fe524d6426ee36e99ab9a3d8b85","assets/index-BmnieM1g.css":"92be2d603d4090f8c39cbd0a10beaa72f082b861f89db1c8c46de9463044e24c","assets/index-DP61-er_.js":"25845ad6c7d443520f790c510c79432b8ed42baac3209e992aba007975afa493","assets/language.svelte-Cd4TktR-.js":"2ae4e972bcf3cbdc3cf968087f565d9e6943de99587ab6252c3e294e5f4263eb","assets/notes-D0JxQCST.js":"223ad0e77bde4a435aac475093a8654a4aeacc551c506d5844e91b319173f449","assets/pairing-BcZ72Xwy.js":"5db4313c98657dfc39bb2140184a6bec0dcbe2f0ccbdf1bd3d788bd63c68e4a9","assets/plain-BdVVEK8b.js":"e65c6905119b1d0742d070ba5cf909c8ffd2ff77cd56538d21f4a26b89f9ee8e","assets/plan-BR_8Vh6m.js":"47dcf59825f931b9cf879ec85c38e500c75e3936bd37a51f440035bc8c0ef3ac","assets/plot-BvcEVOZ1.js":"208f9081ed70cf4d53f8c27596825c718fdce69973ef293127a3c0f04f77ef67","assets/plot-CnsZ1jie.css":"0fd9465202f6dfceac29e67c17e5ac9fb1b7ba7615c1bb08782391b791d9f1e0","assets/preload-helper-BQUUbbNx.js":"fdc866086eb8bad8ef0387d4b59cdb01dd1e306f42453ee5e6b8b456102f1818","assets/qr-D15vRg4X.js":"dc5d1a8c7c42148c9ccc3bec037a2ada79d0d693645e20ba58b697f8e8dab47c","assets/record-BcKsu8XU.js":"e60166ecb0aa52dfbf5f129b76cc2e346afa243e5d6d526668062a774ac31e27","assets/remarks-B_iORfHM.js":"e2452e74d2ea199460c2e4d2af7ff5780c3b530577adac27d742780979f4ea64","assets/results-q_haNjUq.js":"fc372bd2a1dfe25990cb0d28c8d573920683795d94c47ed0603e813c481fb9ca","assets/route.svelte-C4GamYxp.js":"02d7d102d9bae9d95f3e6e34e8bbecbf20c56c20144cdf18de6742719ddbdf7c","assets/setup-BzOM6_o_.js":"d888d65c3521fce04088c0af8236ad58cfdcc1fb92ce661e86c30e51cb699746","assets/thinking-CSvMUra-.js":"a01c099115d12447dcd00bf1ff63b5c0c9f557cadfdb42f8687a233eb53c48ce","assets/words-DrR9zpET.js":"f09c32662688d37a01800d842dfe523602abed959a3f929b7f8c560de53f35bf","icon-192.png":"838415dafedc437e618d32d08525468cc0fdc832bf8b311d376d4dfb3de5525a","icon-512.png":"7faf3903cef657028b908bc60849cf7e39d2c04e7a4f601207db8f05bc4858df","icon-maskable-192.png":"5418f3217631d12a0fffc9a77189cd8f323e9eae2a9463300574d843cf0f79e0","icon-maskable-512.png":"e377d815f184ce54e5ded9b314561b9fca03d3fd0085dfe9ba594263ec03e055","index.html":"2eb82d109c77e6e8a1f46f8b84b98dc33d21f7ed4da064bd304b7da7c7a39398","mark.svg":"480ac5e0eac82fac8fd0e85ffc66a2077c90f4d35a7656d2b2ff96138f858017"};

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
