// Runs before the first paint: shows what needs script and hides its replacements. Submits before
// the modules are loaded are held back, but only briefly: then the browser sends them as it would
// without script.
{
  const root = document.documentElement;
  root.dataset.script = "on";
  // Readers with a list never see the introduction, not even while the list loads.
  try {
    if (localStorage.getItem("works") || location.pathname.startsWith("/c/")) root.dataset.works = "";
  } catch {
    // Without storage there is no list.
  }
  // Milliseconds.
  const PATIENCE = 5000;
  /** @type {(() => void) | undefined} */
  let held;

  /** @param {EventTarget | null} form @returns {form is HTMLFormElement} */
  const isDue = (form) => form instanceof HTMLFormElement && form.hasAttribute("data-scripted") && root.dataset.script === "on";

  const release = () => {
    held?.();
    held = undefined;
  };

  /** @param {Event} event @param {HTMLFormElement} form @param {HTMLElement | null} [submitter] */
  const hold = (event, form, submitter) => {
    event.preventDefault();
    event.stopImmediatePropagation();
    if (held) return;
    held = () => form.requestSubmit(submitter);
    setTimeout(() => {
      if (held) root.dataset.script = "late";
      release();
    }, PATIENCE);
  };

  addEventListener("submit", (event) => isDue(event.target) && hold(event, event.target, event.submitter), true);
  addEventListener("keydown", (event) => {
    const { form, id } = /** @type {HTMLInputElement} */ (event.target);
    if (id === "q" && event.key === "Enter" && !event.shiftKey && !event.isComposing && isDue(form)) hold(event, form);
  }, true);
  document.addEventListener("ready", release);
}
