/** The lines that keep rows, keys and secrets out of git. */
export const secretLines = ['data/', '.env'] as const;

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
