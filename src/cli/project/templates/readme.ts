/** How to work in the project. */
export const readme = {
  path: 'README.md',
  text: (name: string) => `# ${name}

Stored queries, served by endpoint-gateway as REST and GraphQL endpoints.

| Command | Purpose |
|---|---|
| \`npm run dev\` | Serves the endpoints over made-up rows, or over yours once you have imported some. |
| \`npm run check\` | Checks the types of all queries. |
| \`npm test\` | Runs the tests beside the endpoints. |
| \`npm run schema\` | Writes \`schema.graphql\`, the contract with clients. Commit it with each change. |
| \`npm start\` | Serves the store in \`./data\`. |
| \`npx endpoint-gateway import <source> <files...>\` | Adds rows to the store. |

| Place | Content |
|---|---|
| \`endpoints/*.sql\` | One query each, with its settings. |
| \`endpoints/*.test.yaml\` | The tests of the endpoint of the same name. |
| \`sources/*.json\` | The columns of a table of rows each. |
| \`fixtures/\` | Rows for tests. |
| \`.env\` | Settings. \`.env.example\` shows the most common ones. |
`,
} as const;
