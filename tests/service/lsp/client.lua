-- Neovim's client: completes and goes to a definition, renames a key, and writes what it found.
local function run()
  vim.cmd('edit paper.md')
  local paper = vim.api.nvim_get_current_buf()
  local id = vim.lsp.start_client({ cmd = { COMMAND }, root_dir = vim.fn.getcwd() })
  vim.lsp.buf_attach_client(paper, id)
  vim.wait(20000, function()
    local client = vim.lsp.get_client_by_id(id)
    return client ~= nil and client.initialized == true
  end)
  local found = {}
  local function ask(method, line, character, further)
    local params = {
      textDocument = { uri = vim.uri_from_bufnr(paper) },
      position = { line = line, character = character },
    }
    for name, value in pairs(further or {}) do params[name] = value end
    local answers = vim.lsp.buf_request_sync(paper, method, params, 20000)
    return answers[id].result
  end
  local lines = vim.api.nvim_buf_line_count(paper)
  vim.api.nvim_buf_set_lines(paper, lines, lines, false, { 'See [@per' })
  found.completed = {}
  for _, item in ipairs(ask('textDocument/completion', lines, 9).items) do
    table.insert(found.completed, item.label)
  end
  vim.api.nvim_buf_set_lines(paper, lines, lines + 1, false, {})
  found.defined = ask('textDocument/definition', 4, 16)[1].range.start.character
  local edit = ask('textDocument/rename', 4, 16, { newName = 'austen1815' })
  vim.lsp.util.apply_workspace_edit(edit, 'utf-16')
  vim.cmd('wall')
  vim.fn.writefile({ vim.fn.json_encode(found) }, '.found.json')
end
local fine, fault = pcall(run)
if not fine then vim.fn.writefile({ tostring(fault) }, '.fault') io.stderr:write(tostring(fault)) end
vim.cmd('qall!')
