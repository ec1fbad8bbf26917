// Drags a work to another place, by mouse, finger or pen. Keys and the work's menu do the same
// (WCAG 2.2, 2.5.7).

// Distance from the window's edge that starts scrolling, in pixels.
const EDGE = 70;

/** @param {Element} item */
const middle = (item) => {
  const { top, height } = item.getBoundingClientRect();
  return top + height / 2;
};

// Makes list items draggable by their grips. `drop` receives the item and its new place.
/** @param {HTMLElement} list @param {(item: HTMLElement, to: number) => void} drop */
export function draggable(list, drop) {
  list.addEventListener("pointerdown", (event) => {
    const grip = /** @type {Element} */ (event.target).closest(".grip");
    const item = /** @type {HTMLElement | null | undefined} */ (grip?.closest(".entry"));
    if (!item || event.button) return;
    event.preventDefault();
    const before = [...list.children];
    const end = new AbortController();
    const { signal } = end;
    const finish = () => {
      end.abort();
      item.classList.remove("dragged");
    };
    // The other items move: the dragged one keeps its place in the document, since moving it would
    // end the drag.
    const follow = (/** @type {PointerEvent} */ { clientY: y }) => {
      if (y < EDGE) scrollBy(0, -EDGE / 4);
      if (y > innerHeight - EDGE) scrollBy(0, EDGE / 4);
      const { previousElementSibling: above, nextElementSibling: below } = item;
      if (below && y > middle(below)) item.before(below);
      else if (above && y < middle(above)) item.after(above);
    };
    item.classList.add("dragged");
    document.addEventListener("pointermove", follow, { signal });
    document.addEventListener("pointerup", () => {
      finish();
      const to = [...list.children].indexOf(item);
      if (to !== before.indexOf(item)) drop(item, to);
    }, { signal });
    const giveUp = () => {
      finish();
      list.append(...before);
    };
    document.addEventListener("pointercancel", giveUp, { signal });
    document.addEventListener("keydown", (key) => {
      if (key.key !== "Escape") return;
      key.preventDefault();
      giveUp();
    }, { signal, capture: true });
  });
}
