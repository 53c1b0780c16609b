import { describe, expect, test } from 'vitest';
import { enumMember, fieldName } from '../../src/base/text/graphql-names.ts';
import { settingDescriptions } from '../../src/definitions/settings/config.ts';
import { scalarOf } from '../../src/server/graphql/shape/record-types.ts';
import { scalarTypeNames } from '../../src/sql/values/type.ts';
import { quoted, tableRows } from './markdown.ts';

const file = 'docs/graphql.md';

describe('names', () => {
  test('are made as the table says', async () => {
    const rows = await tableRows(file, 'In SQL or in the settings');
    expect(rows.length).toBeGreaterThan(5);
    for (const [sql = '', graphql = ''] of rows) {
      const name = sql.includes('`') ? quoted(sql) : 'f0_';
      const made = graphql.startsWith('member') ? enumMember(name) : fieldName(name);
      expect(made, sql).toBe(quoted(graphql));
    }
  });

  test('can be set by settings that exist', async () => {
    const existing = (await tableRows('docs/endpoints.md', 'Setting')).map(([name]) => name);
    for (const [name] of await tableRows(file, 'Setting')) expect(existing).toContain(name);
  });
});

test('the table of types holds every type, with its scalar', async () => {
  const rows = await tableRows(file, 'GoogleSQL');
  const scalars = rows.filter(([, graphql]) => graphql?.startsWith('`'));
  expect(scalars.map(([sql]) => sql).toSorted()).toEqual([...scalarTypeNames].toSorted());
  for (const [sql, graphql = ''] of scalars) {
    const kind = scalarTypeNames.find((name) => name === sql);
    expect(kind && scalarOf({ kind })).toBe(quoted(graphql));
  }
});

test('the table of limits holds every limit, with its default', async () => {
  const text = (await tableRows(file, 'Setting | Default')).map(([name = '', value]) => [
    quoted(name),
    value,
  ]);
  const limits = settingDescriptions.filter(({ variable }) => variable.startsWith('GRAPHQL_MAX_'));
  expect(text).toEqual(limits.map(({ variable, defaultText }) => [variable, defaultText]));
});
