"use strict";
/* On players' own pages: touches and Send change the page without loading it anew, men can be dragged, and the page looks
   whether somebody has moved. All rules are the server's. Without this file the same links and forms do the same. */
(() => {
  const FAR = 8; // pixels: whoever moves the mouse further drags
  const SOON = 10_000, LATE = 120_000; // milliseconds between two looks for news
  const find = (selector) => document.querySelector(selector);

  // The page of the board as it is now, looking as the reader wants it, without what was chosen.
  const here = () => {
    const url = new URL(location.href);
    for (const name of ["from", "to", "line", "verb", "near"]) url.searchParams.delete(name);
    url.hash = "";
    return url;
  };
  let loading = null, dragged = false;

  // Take the main part of another state of this page, and keep the words that the reader has begun to write.
  const show = async (url, options) => {
    const answer = await fetch(url, options);
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const words = find("[name=comment]")?.value, focused = document.activeElement?.getAttribute("aria-label");
    const main = page.querySelector("main");
    if (!main) throw new Error("no page of ours"); // a proxy says that it does not reach us
    if (words && !options) main.querySelector("[name=comment]")?.append(words);
    find("main").replaceWith(main);
    document.title = page.title;
    history.replaceState(null, "", options ? here() : url);
    const told = find(".told");
    if (told && options) told.scrollIntoView({ block: "nearest" });
    else if (/[?&](line|verb)=/.test(location.search)) find(".send button")?.scrollIntoView({ block: "nearest" });
    else if (focused) find(`#board [aria-label="${CSS.escape(focused)}"]`)?.focus({ preventScroll: true });
  };

  // What is touched while something is loaded does nothing. What is sent waits, because it must not be lost.
  const load = (url, options) => {
    if (loading && options) return loading.catch(() => {}).then(() => load(url, options));
    if (!loading) loading = show(url, options).finally(() => { loading = null; });
    return loading;
  };

  const linked = (target) => {
    const link = target?.closest?.("#board a[href]");
    const url = link && new URL(link.getAttribute("href"), location.href);
    return url?.pathname === location.pathname ? url : null;
  };

  document.addEventListener("click", (event) => {
    const url = linked(event.target);
    if (!url || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    if (!dragged) load(url).catch(() => location.assign(url));
  });

  document.addEventListener("submit", (event) => {
    const form = event.target;
    event.preventDefault();
    // FormData would be sent as multipart.
    load(form.action, { method: "POST", body: new URLSearchParams(new FormData(form)) }).catch(() => {
      document.body.append(form); // the page may have another one by now
      form.submit();
    });
  });

  // --- dragging, with a mouse: on a telephone the same gesture scrolls ---

  document.addEventListener("dragstart", (event) => { if (linked(event.target)) event.preventDefault(); });

  document.addEventListener("pointerdown", (down) => {
    const link = down.target.closest?.("#board svg a"), url = linked(link);
    if (!url || down.pointerType !== "mouse" || down.button) return;
    let ghost = null, chosen = null;
    const move = (event) => {
      if (!ghost && Math.hypot(event.clientX - down.clientX, event.clientY - down.clientY) < FAR) return;
      if (!ghost) {
        ghost = ghostOf(link);
        if (!url.searchParams.has("line")) chosen = load(url);
      }
      ghost.style.transform = `translate(${event.clientX}px, ${event.clientY}px)`;
    };
    const up = async (event) => {
      document.removeEventListener("pointermove", move);
      if (!ghost) return;
      ghost.remove();
      dragged = true; // the click that follows is none
      setTimeout(() => { dragged = false; });
      await chosen;
      const goal = linked(document.elementFromPoint(event.clientX, event.clientY));
      if (chosen && (goal?.searchParams.has("from") || goal?.searchParams.has("line"))) await load(goal);
    };
    document.addEventListener("pointermove", move);
    document.addEventListener("pointerup", up, { once: true });
  });

  const ghostOf = (link) => {
    const box = link.getBoundingClientRect(), inside = link.getBBox();
    const ghost = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    ghost.classList.add("ghost");
    ghost.setAttribute("viewBox", `${inside.x} ${inside.y} ${inside.width} ${inside.height}`);
    ghost.setAttribute("width", box.width);
    ghost.setAttribute("height", box.height);
    ghost.append(...[...link.children].map((child) => child.cloneNode(true)));
    document.body.append(ghost);
    return ghost;
  };

  // --- news ---

  let wait = SOON;
  const look = async () => {
    const news = find("[data-news]")?.dataset.news;
    if (news && document.visibilityState === "visible" && !loading) {
      const answer = await fetch(`${location.pathname}/news`, { headers: { "If-None-Match": news } });
      if (answer.status === 200) {
        wait = SOON;
        await load(here());
      } else wait = Math.min(wait * 1.2, LATE);
    }
  };
  const again = () => { setTimeout(() => look().catch(() => {}).finally(again), wait); };
  document.addEventListener("visibilitychange", () => { look().catch(() => {}); });
  again();
})();
