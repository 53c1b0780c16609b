import type { ProjectFile } from './first-files.ts';

/** How to work in the project. */
export const readme = {
  path: 'README.md',
  text: (name: string) => `# ${name}

Stored queries, served by endpoint-gateway as REST and GraphQL endpoints.

| Command | Purpose |
|---|---|
| \`npm run dev\` | Serves the endpoints over made-up rows, or over yours once you have imported some. |
| \`npm run check\` | Checks the types of all queries, and writes \`endpoints.lock\`. Commit it with each change. |
| \`npm test\` | Runs the tests beside the endpoints. |
| \`npm run schema\` | Writes \`schema.graphql\`, the contract with clients. Commit it with each change. |
| \`npm start\` | Serves the store in \`./data\`. |
| \`npx endpoint-gateway import <source> <files...>\` | Adds rows to the store. |

| Place | Content |
|---|---|
| \`endpoints/*.sql\` | One query each, with its settings. |
| \`endpoints.lock\` | What clients rely on. A change that breaks them needs a new version of the endpoint. |
| \`endpoints/*.test.yaml\` | The tests of the endpoint of the same name. |
| \`sources/*.json\` | The columns of a table of rows each. |
| \`fixtures/\` | Rows for tests. |
| \`.env\` | Settings. \`.env.example\` shows the most common ones. |
`,
} as const;

/** Settings to begin with. */
export const envExample = {
  path: '.env.example',
  text: `# Settings of this project. Copy this file to .env, which git ignores. Variables of the environment take precedence.
# All of them are in docs/settings.md of endpoint-gateway.

# The address to listen on.
#PORT=4000
#HOST=127.0.0.1

# The key with all permissions. Without it, each start makes a new one.
#API_KEY=

# The folder of the embedded store.
#DATA_DIR=./data

# Refuse calls with parameters that their endpoint doesn't declare, such as a filter that was removed.
UNKNOWN_PARAMETERS=reject

# To run queries on BigQuery instead:
#ENGINE=bigquery
#GOOGLE_CLOUD_PROJECT=
#BIGQUERY_DATASET=
`,
} as const;

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

/** The checks of a change on GitHub. */
export const workflow = {
  path: '.github/workflows/endpoints.yml',
  text: `name: Endpoints

on:
  push:
    branches: [main]
  pull_request:

permissions:
  contents: read

jobs:
  check:
    runs-on: ubuntu-latest
    timeout-minutes: 10
    steps:
      - uses: actions/checkout@v5
      - uses: actions/setup-node@v5
        with:
          node-version: 24
      - run: npm ci
      - name: Types of all queries, as endpoints.lock has them
        run: npx endpoint-gateway check --locked
      - name: Tests of endpoints
        run: npx endpoint-gateway test --reporter github
      - name: schema.graphql is that of the endpoints
        run: |
          npx endpoint-gateway schema --output schema.graphql
          git diff --exit-code -- schema.graphql
      - name: No change breaks clients of the base branch
        if: github.event_name == 'pull_request'
        env:
          BASE: \${{ github.base_ref }}
        run: |
          git fetch --depth=1 origin "$BASE"
          if git show FETCH_HEAD:./schema.graphql > "$RUNNER_TEMP/base.graphql"; then
            npx endpoint-gateway check --quiet --against "$RUNNER_TEMP/base.graphql"
          else
            echo "The branch $BASE has no schema.graphql yet."
          fi
      - name: What the change does to answers
        if: github.event_name == 'pull_request'
        env:
          BASE: \${{ github.base_ref }}
        run: |
          git fetch --depth=1 origin "$BASE"
          # 3 means that answers can differ, which reviewers decide on.
          npx endpoint-gateway diff FETCH_HEAD --format markdown >> "$GITHUB_STEP_SUMMARY" || [ $? -eq 3 ]
`,
} as const;

/** What surrounds the endpoints of a project. */
export function surroundingFiles(name: string): readonly ProjectFile[] {
  return [envExample, gitignore, { path: readme.path, text: readme.text(name) }, workflow];
}
