// Keeps an open page true: when the daemon tells of a change, the same page is fetched again and its
// parts are put in the place of the old ones. Without this script there is a link that does the same.
"use strict";
(() => {
  const parts = ["top", "side", "main", "bar"];
  let seen = document.body.dataset.live;
  let stream = null;
  let waiting = false;
  let busy = false;

  const typing = () => {
    const at = document.activeElement;
    return at && (at.matches("textarea, input, select") || (at.closest("form") && at.closest("details[open]")));
  };
  const touched = () => [...document.querySelectorAll("textarea")].some((t) => t.value !== t.defaultValue);

  const opened = (root) => new Set([...root.querySelectorAll("details[open] > summary")].map((s) => s.textContent + s.closest("li, section")?.textContent.slice(0, 40)));

  const swap = (next) => {
    const open = opened(document);
    const before = document.querySelector("[data-result], .status")?.textContent;
    const focused = document.activeElement;
    const key = focused && (focused.getAttribute("href") || focused.name);
    for (const id of parts) {
      const was = document.getElementById(id);
      const now = next.getElementById(id);
      if (was && now) was.replaceWith(now);
      else if (was && !now) was.remove();
    }
    for (const d of document.querySelectorAll("details")) {
      const s = d.querySelector("summary");
      if (open.has(s.textContent + s.closest("li, section")?.textContent.slice(0, 40))) d.open = true;
    }
    if (key) document.querySelector(`[href="${CSS.escape(key)}"], [name="${CSS.escape(key)}"]`)?.focus({ preventScroll: true });
    document.title = next.title;
    const result = document.querySelector("[data-result], .status");
    if (result && result.textContent !== before) document.getElementById("said").textContent = result.innerText.replace(/\s+/g, " ");
  };

  const look = async () => {
    if (busy) return;
    if (typing() || touched()) {
      waiting = true;
      return;
    }
    waiting = false;
    busy = true;
    try {
      const path = document.querySelector("[data-here]")?.getAttribute("href") || location.pathname + location.search;
      const answer = await fetch(path, { credentials: "same-origin", cache: "no-store" });
      if (answer.status === 401) {
        location.assign(path);
        return;
      }
      if (!answer.ok) return;
      const next = new DOMParser().parseFromString(await answer.text(), "text/html");
      seen = next.body.dataset.live ?? seen;
      swap(next);
    } catch {
      waiting = true; // the daemon is away: the stream comes back by itself, and tells
    } finally {
      busy = false;
    }
  };

  const listen = () => {
    if (stream || document.hidden) return;
    stream = new EventSource("/live");
    stream.addEventListener("change", (e) => {
      if (e.data !== seen || waiting) look();
    });
  };

  document.addEventListener("visibilitychange", () => {
    if (!document.hidden) return listen();
    stream?.close(); // a browser opens few streams to one host
    stream = null;
  });
  document.addEventListener("focusout", () => setTimeout(() => waiting && look(), 200));
  setInterval(() => !document.hidden && look(), 60000); // "3 min ago" grows old without any event
  listen();
})();
