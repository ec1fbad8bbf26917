// A toolbar (WAI-ARIA): one stop of the tab key, arrows go from button to button.

export function toolbar(element, label) {
  element.setAttribute("role", "toolbar");
  element.setAttribute("aria-label", label);
  const buttons = () => [...element.querySelectorAll("button")].filter((button) => button.checkVisibility());
  const rove = (current) => {
    for (const button of element.querySelectorAll("button")) button.tabIndex = button === current ? 0 : -1;
  };
  element.addEventListener("focusin", (event) => rove(event.target.closest("button")));
  element.addEventListener("keydown", (event) => {
    const all = buttons();
    const isRightToLeft = document.documentElement.dir === "rtl";
    const step = { ArrowRight: isRightToLeft ? -1 : 1, ArrowLeft: isRightToLeft ? 1 : -1 }[event.key];
    const at = all.indexOf(document.activeElement);
    if (step) all[(at + step + all.length) % all.length].focus();
    else if (event.key === "Home") all[0].focus();
    else if (event.key === "End") all.at(-1).focus();
    else return;
    event.preventDefault();
  });
  // The one to stop at: where one was last, else the first one that is shown.
  let at;
  element.addEventListener("focusin", () => (at = document.activeElement));
  return () => rove(buttons().includes(at) ? at : buttons()[0]);
}
