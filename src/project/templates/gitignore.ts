/** What git must not keep. */
export const gitignore = {
  path: '.gitignore',
  text: `node_modules/
# Rows, keys and other state of the gateway.
data/
# Settings with secrets.
.env
`,
} as const;
