// Runs before the first paint: from here on the page shows what needs script and hides what stands
// in for it. What is sent before the modules are there waits for them, though not for long: then
// the browser sends it as it would without script.
{
  const root = document.documentElement;
  root.dataset.script = "on";
  // Whoever has a list sees no introduction, not even for the blink before the list is read.
  try {
    if (localStorage.getItem("works") || location.pathname.startsWith("/c/")) root.dataset.works = "";
  } catch {
    // Where nothing may be kept, nothing was.
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
