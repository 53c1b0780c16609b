import { expect, test } from 'vitest';
import {
  quotedTable,
  tableNames,
  withSourceNames,
} from '../../../../src/engines/bigquery/text/table-names.ts';

const names = tableNames({
  project: 'jobs-project',
  dataset: 'example.com:data-project.logs_eu',
  tables: new Map([
    ['a', 'Other-Table'],
    ['b', 'elsewhere.t'],
    ['c', 'p-2.d.t'],
    ['d', 'example.org:p-3.d.t 2'],
  ]),
});

test.each([
  ['edge_logs', '`example.com:data-project.logs_eu.edge_logs`'],
  ['a', '`example.com:data-project.logs_eu.Other-Table`'],
  ['b', '`jobs-project.elsewhere.t`'],
  ['c', '`p-2.d.t`'],
  ['d', '`example.org:p-3.d.t 2`'],
])('the table of %s is %s', (source, expected) => {
  expect(quotedTable(names(source))).toBe(expected);
});

test('a dataset without a project is of the project that runs the jobs', () => {
  const { project, dataset, table } = tableNames({ project: 'p-1', dataset: 'd', tables: new Map() })('t');
  expect({ project, dataset, table }).toEqual({ project: 'p-1', dataset: 'd', table: 't' });
});

test.each([
  [
    'Not found: Table p-2:d.t was not found in location EU',
    'Not found: Table logs.c was not found in location EU',
  ],
  ['Cannot read `p-2.d.t`: denied', 'Cannot read logs.c: denied'],
  ['Table "d.t" must be qualified', 'Table "logs.c" must be qualified'],
  ['Not found: Table p-2:d.tt', 'Not found: Table p-2:d.tt'],
  ['Not found: Table xp-2:d.t', 'Not found: Table xp-2:d.t'],
])('%s', (sentence, expected) => {
  expect(withSourceNames(sentence, [['c', names('c')]])).toBe(expected);
});
