import { expect, test } from 'vitest';
import { greeting } from '../../src/cli/demo/demo.ts';

const gateway = {
  ...{ url: 'http://127.0.0.1:4000', key: 'gw_key', keyIsRandom: true },
  ...{ console: true, graphiql: true },
};

test('the demo prints the address of its console first, then commands', () => {
  expect(greeting(gateway)).toMatch(
    /^\nReady at http:\/\/127\.0\.0\.1:4000, with the key gw_key\nOpen the console in a browser[^\n]*: http:\/\/127\.0\.0\.1:4000\/#key=gw_key\nGraphiQL[^\n]*\/graphql\n\nRequests /,
  );
});

test('the address has no key that the user has set', () => {
  expect(greeting({ ...gateway, keyIsRandom: false })).toMatch(
    /^Open the console in a browser[^\n]*: http:\/\/127\.0\.0\.1:4000$/m,
  );
});

test('it names no page that is switched off', () => {
  const text = greeting({ ...gateway, console: false, graphiql: false });
  expect(text).not.toMatch(/console|GraphiQL/);
  expect(text).toContain('curl');
});

test('it tells the settings with which commands reach the emulated BigQuery', () => {
  expect(greeting({ ...gateway, bigquery: 'http://127.0.0.1:5000' })).toContain(
    '\n  export GOOGLE_CLOUD_PROJECT=demo-project BIGQUERY_DATASET=logs BIGQUERY_EMULATOR_HOST=http://127.0.0.1:5000\n',
  );
});
