// The button: reads the page that is open and takes it to the server.

const api = globalThis.browser ?? globalThis.chrome;

api.action.onClicked.addListener(async (tab) => {
  const { server } = await api.storage.local.get("server");
  if (!server) return api.runtime.openOptionsPage();
  const page = await read(tab);
  return api.tabs.create({ url: `${server}/#page/${encodeURIComponent(JSON.stringify(page))}`, index: tab.index + 1 });
});

// Where no script may run, as on the browser's own pages, the address is all there is.
/** @param {ExtensionTab} tab */
async function read(tab) {
  try {
    const [{ result }] = await api.scripting.executeScript({ target: { tabId: tab.id }, files: ["page.js"] });
    return result;
  } catch {
    return { url: tab.url ?? "", html: "" };
  }
}
