// Reports this page's height to a page that embeds it in a frame.

/** Reports the page's height at every change; does nothing outside a frame. */
export function tellHeight() {
  if (window.parent === window || !("embed" in document.documentElement.dataset)) return;
  const tell = () => window.parent.postMessage({ flagfall: { height: document.body.scrollHeight } }, "*");
  new ResizeObserver(tell).observe(document.body);
  tell();
}
