// Tells a page that embeds this one in a frame how high this page is.

/** Reports the page's height at every change; does nothing outside a frame. */
export function tellHeight() {
  if (window.parent === window || !("embed" in document.documentElement.dataset)) return;
  const tell = () => window.parent.postMessage({ flagfall: { height: document.body.scrollHeight } }, "*");
  new ResizeObserver(tell).observe(document.body);
  tell();
}
