import { readdir, readFile } from 'node:fs/promises';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import {
  jsonSchema,
  jsonSchemaText,
  schemaNames,
} from '../../../../src/tools/language-server/settings/json-schemas.ts';

test('schema/json has the schema of each kind of file (`node test/docs/write-json-schemas.ts` writes them)', async () => {
  const files = await readdir('schema/json');
  expect(files.toSorted()).toEqual(schemaNames.map((name) => `${name}.schema.json`).toSorted());
  for (const name of schemaNames) {
    expect(await readFile(`schema/json/${name}.schema.json`, 'utf8')).toBe(jsonSchemaText(name));
  }
});

test('every key that an author can write is described', () => {
  const undescribed: string[] = [];
  const visit = (part: unknown, path: string) => {
    if (typeof part !== 'object' || part === null) return;
    for (const [key, value] of Object.entries(part)) {
      if (key === 'properties') {
        for (const [name, property] of Object.entries(value as object)) {
          if (typeof property.description !== 'string') undescribed.push(`${path}.${name}`);
        }
      }
      visit(value, `${path}.${key}`);
    }
  };
  for (const name of schemaNames) visit(jsonSchema(name), name);
  expect(undescribed).toEqual([]);
});

test('the shipped files have the form that the schemas describe, and others do not', async () => {
  const ajv = new Ajv2020({ strict: false });
  const validator = (name: (typeof schemaNames)[number]) => ajv.compile(JSON.parse(jsonSchemaText(name)));
  const settings = validator('endpoint-settings');
  const source = validator('source');
  const testFile = validator('test-file');
  for (const name of await readdir('schema/endpoints')) {
    const text = await readFile(`schema/endpoints/${name}`, 'utf8');
    const comment = /\/\*(.*?)\*\//s.exec(text)?.[1] ?? '';
    if (name.endsWith('.sql')) expect(settings(parse(comment)), name).toBe(true);
    if (name.endsWith('.yaml')) expect(testFile(parse(text)), name).toBe(true);
  }
  for (const name of await readdir('schema/sources')) {
    const text = await readFile(`schema/sources/${name}`, 'utf8');
    expect(source(JSON.parse(text)), name).toBe(true);
  }
  const id = '00000000-0000-4000-8000-000000000001';
  expect(settings({ id, name: 'a' })).toBe(true);
  expect(settings({ id, name: 'a', colour: 1 })).toBe(false);
  expect(source([{ name: 'id' }])).toBe(false);
  expect(testFile({ cases: [] })).toBe(false);
});
