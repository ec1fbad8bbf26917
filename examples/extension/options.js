// Which server pages are taken to.

const api = globalThis.browser ?? globalThis.chrome;
const input = document.querySelector("#server");
const said = document.querySelector("[role=status]");

api.storage.local.get("server").then(({ server }) => (input.value = server ?? ""));

document.querySelector("form").addEventListener("submit", async (event) => {
  event.preventDefault();
  const { origin, pathname } = new URL(input.value);
  await api.storage.local.set({ server: origin + pathname.replace(/\/$/, "") });
  said.textContent = "Saved. The button in the toolbar now cites the page that is open.";
});
