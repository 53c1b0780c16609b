import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { scalarParameterTypes } from '../../src/definitions/endpoints/parameters/endpoint-parameter.ts';
import { endpointSettings, reservedNames } from '../../src/definitions/endpoints/settings.ts';
import { textForms } from '../../src/sql/text/parse-text.ts';
import { quoted, tableRows } from './markdown.ts';

const file = 'docs/endpoints.md';

interface JsonSchema {
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly additionalProperties?: JsonSchema | boolean;
  readonly required?: readonly string[];
  readonly default?: unknown;
}

/** Every setting by its path, with its default; undefined for one that has none. */
function settings({ properties = {}, required = [] }: JsonSchema, prefix = ''): [string, unknown][] {
  return Object.entries(properties).flatMap(([key, schema]) => {
    const name = `${prefix}${key}`;
    const { additionalProperties: entry } = schema;
    const inner =
      typeof entry === 'object' ? settings(entry, `${name}.<name>.`) : settings(schema, `${name}.`);
    return [[name, required.includes(key) ? 'required' : schema.default], ...inner];
  });
}

describe('the table of settings', async () => {
  const documented = new Map(
    (await tableRows(file, 'Setting')).map(([name = '', shown = '']) => [quoted(name), shown] as const),
  );
  const actual = settings(z.toJSONSchema(endpointSettings, { io: 'input' }) as JsonSchema);

  test('holds every setting, in order, and no other', () => {
    expect([...documented.keys()]).toEqual(actual.map(([name]) => name));
  });

  test.each(actual)('tells the default of %s', (name, value) => {
    const shown = documented.get(name) ?? '';
    if (value === 'required') expect(shown).toBe('required');
    else if (value === '') expect(shown).toBe('empty');
    else if (value === undefined || typeof value === 'object') expect(shown).not.toMatch(/`|required/);
    else expect(shown).toBe(`\`${value}\``);
  });
});

test('the types of parameters are listed, each with the form of its text', async () => {
  const types = (await tableRows(file, 'Type')).flatMap(([names = '']) => names.split(', '));
  expect(types.toSorted()).toEqual([...scalarParameterTypes].toSorted());
  expect(types.toSorted()).toEqual(Object.keys(textForms).toSorted());
  const rows = await tableRows(file, 'Setting');
  const [, , meaning = ''] = rows.find(([name]) => name?.includes('.type')) ?? [];
  for (const type of scalarParameterTypes) expect(meaning).toMatch(new RegExp(`\\b${type}\\b`));
});

test.each(['TIMESTAMP', 'DATETIME', 'DATE', 'TIME'] as const)('the example of %s is one', async (type) => {
  const row = (await tableRows(file, 'Type')).find(([names]) => names === type);
  expect(textForms[type]?.parse(quoted(row?.[1] ?? ''))).toBeDefined();
});

test('the names that parameters can’t have are listed', async () => {
  const [, list = ''] =
    /A parameter can't be called (.*?), because/s.exec(await readFile(file, 'utf8')) ?? [];
  expect(new Set(list.match(/(?<=`)\w+(?=`)/g))).toEqual(reservedNames);
});
