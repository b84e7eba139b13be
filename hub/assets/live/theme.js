// Runs before the first paint: which palette, which reading direction, wall or desk. `?theme=light|dark|contrast|contrast-dark`,
// `?dir=rtl`, `?wall`, `?overlay` (transparent, for a video), `?embed` (in a frame of another site). A classic script, because modules wait for the document.
{
  const want = new URLSearchParams(location.search);
  const root = document.documentElement;
  const theme = want.get("theme");
  if (["light", "dark", "contrast", "contrast-dark"].includes(theme)) root.dataset.theme = theme;
  if (want.get("dir") === "rtl") root.dir = "rtl";
  for (const place of ["overlay", "embed"]) if (want.has(place)) root.dataset[place] = "";
  if (want.has("wall")) {
    root.dataset.wall = "";
    if (!root.dataset.theme) root.dataset.theme = "dark";
  }
}
