import { expect, test } from 'vitest';
import { checkMapping } from '../../../../src/app/engines/bigquery/check-mapping.ts';
import { ConfigError } from '../../../../src/definitions/settings/config.ts';

const sources = [{ name: 'auth_logs' }, { name: 'edge_logs' }];
const check = (tables: [string, string][]) => checkMapping({ bigqueryTables: new Map(tables) }, sources);

test('tables of sources that there are, or of none, are fine', () => {
  expect(() => check([])).not.toThrow();
  expect(() => check([['edge_logs', 'other.edge']])).not.toThrow();
});

test('a table of a source that there isn’t is refused, with the names that there are', () => {
  expect(() => check([['edge_log', 'other.edge']])).toThrow(
    new ConfigError(['BIGQUERY_TABLES: unknown source "edge_log". Known sources: edge_logs, auth_logs']),
  );
});
