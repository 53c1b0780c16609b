/** The commands by what they are for, in the order of the help. Each is in one group. */
export const commandGroups: readonly (readonly [heading: string, names: readonly string[]])[] = [
  ['Start a project:', ['init', 'new']],
  ['Write and test endpoints:', ['dev', 'check', 'test', 'run', 'explain', 'lql', 'schema', 'lsp']],
  ['Serve:', ['serve', 'mcp', 'health', 'demo']],
  ['Rows and sources:', ['sources', 'import', 'export', 'rows', 'backup', 'restore', 'doctor']],
  ['Access:', ['keys']],
  ['Other:', ['completion', 'help']],
];
