/** Reports this page's height, and each change of it, to the page that embeds it in a frame. Does nothing without a frame or `data-embed`. */
export function tellHeight() {
  if (window.parent === window || !("embed" in document.documentElement.dataset)) return;
  const tell = () => window.parent.postMessage({ flagfall: { height: document.body.scrollHeight } }, "*");
  new ResizeObserver(tell).observe(document.body);
  tell();
}
