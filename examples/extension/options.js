// The setting for the server address.

const api = globalThis.browser ?? globalThis.chrome;
const form = /** @type {HTMLFormElement & { elements: { server: HTMLInputElement } }} */ (document.querySelector("form"));
const input = form.elements.server;
const said = /** @type {HTMLElement} */ (document.querySelector("[role=status]"));

api.storage.local.get("server").then(({ server }) => (input.value = server ?? ""));

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const { origin, pathname } = new URL(input.value);
  await api.storage.local.set({ server: origin + pathname.replace(/\/$/, "") });
  said.textContent = "Saved. The button in the toolbar now cites the page that is open.";
});
