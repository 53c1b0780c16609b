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

# To run queries on BigQuery instead:
#ENGINE=bigquery
#GOOGLE_CLOUD_PROJECT=
#BIGQUERY_DATASET=
`,
} as const;
