// Shows the hall, or one board, in a page of another site:
//   <script src="https://live.example.org/widget.js" data-board="7" async></script>
// `data-theme` (light, dark) and `data-lang` (en, de, es, fr) as in the addresses of the pages; `data-height` in pixels, instead of the
// height of what is shown. A classic script, because modules do not know their own element.
{
  const script = document.currentScript;
  const { board, theme, lang, height } = script.dataset;
  const page = new URL(board ? `/board/${encodeURIComponent(board)}` : "/", script.src);
  page.searchParams.set("embed", "");
  if (theme) page.searchParams.set("theme", theme);
  if (lang) page.searchParams.set("lang", lang);
  const frame = document.createElement("iframe");
  frame.src = page.href;
  frame.title = board ? `Flagfall, ${board}` : "Flagfall";
  frame.style.cssText = `display: block; width: 100%; height: ${Number(height) || 240}px; border: 0`;
  addEventListener("message", (message) => {
    const told = message.source === frame.contentWindow && message.origin === page.origin ? message.data?.flagfall?.height : undefined;
    if (!height && typeof told === "number" && told > 0 && told < 20_000) frame.style.height = `${Math.ceil(told)}px`;
  });
  script.after(frame);
}
