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
      - name: Types of all queries
        run: npx endpoint-gateway check
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
`,
} as const;
