// The worker of the page: shows what the page may not show by itself (src/lib/state/notices.ts) and opens what a notification that
// is tapped is about. Keeps no file and answers no request: without the hub there is no hall to show.

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(openPlace(event.notification.data.place));
});

/** In a page that is there, or else in a new one. */
async function openPlace(place) {
  const app = new URL("./", self.location.href).pathname;
  const windows = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  const pages = windows.filter((one) => new URL(one.url).pathname === app);
  const page = pages.find((one) => one.visibilityState === "visible") ?? pages[0];
  if (!page) {
    await self.clients.openWindow(`./${place}`);
    return;
  }
  page.postMessage({ open: place });
  await page.focus();
}
