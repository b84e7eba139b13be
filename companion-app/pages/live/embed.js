// In a frame of another site, tells the page around it how high this one is.

/** Tells the height at every change; does nothing outside a frame. */
export function tellHeight() {
  if (window.parent === window || !("embed" in document.documentElement.dataset)) return;
  const tell = () => window.parent.postMessage({ flagfall: { height: document.body.scrollHeight } }, "*");
  new ResizeObserver(tell).observe(document.body);
  tell();
}
