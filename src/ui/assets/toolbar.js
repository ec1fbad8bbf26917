// A toolbar (WAI-ARIA): one tab stop, arrow keys move between buttons.

/** @param {HTMLElement} element @param {string} label */
export function toolbar(element, label) {
  element.setAttribute("role", "toolbar");
  element.setAttribute("aria-label", label);
  const buttons = () => [...element.querySelectorAll("button")].filter((button) => button.checkVisibility());
  /** @param {Element | null | undefined} current */
  const rove = (current) => {
    for (const button of element.querySelectorAll("button")) button.tabIndex = button === current ? 0 : -1;
  };
  element.addEventListener("focusin", (event) => rove(/** @type {Element} */ (event.target).closest("button")));
  element.addEventListener("keydown", (event) => {
    const all = buttons();
    const isRightToLeft = document.documentElement.dir === "rtl";
    /** @type {number | undefined} */
    const step = { ArrowRight: isRightToLeft ? -1 : 1, ArrowLeft: isRightToLeft ? 1 : -1 }[/** @type {"ArrowRight"} */ (event.key)];
    const at = all.findIndex((button) => button === document.activeElement);
    if (step) all[(at + step + all.length) % all.length].focus();
    else if (event.key === "Home") all[0].focus();
    else if (event.key === "End") all.at(-1)?.focus();
    else return;
    event.preventDefault();
  });
  // The tab stop: the last focused button, else the first visible one.
  /** @type {Element | null} */
  let at;
  element.addEventListener("focusin", () => (at = document.activeElement));
  return () => rove(buttons().find((button) => button === at) ?? buttons()[0]);
}
