// The button: reads the open page and sends it to the server.

const api = globalThis.browser ?? globalThis.chrome;

api.action.onClicked.addListener(async (tab) => {
  const { server } = await api.storage.local.get("server");
  if (!server) return api.runtime.openOptionsPage();
  const page = await read(tab);
  return api.tabs.create({ url: `${server}/#page/${encodeURIComponent(JSON.stringify(page))}`, index: tab.index + 1 });
});

// Where scripts are not allowed, as on the browser's own pages, only the address is sent.
/** @param {ExtensionTab} tab */
async function read(tab) {
  try {
    const [{ result }] = await api.scripting.executeScript({ target: { tabId: tab.id }, files: ["page.js"] });
    return result;
  } catch {
    return { url: tab.url ?? "", html: "" };
  }
}
