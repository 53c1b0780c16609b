import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { engineNames } from '../../../src/app/engines/registry.ts';

const root = join(import.meta.dirname, '../../../src');

/** Where the name of an engine may stand. */
const own = /^(?:(?:app\/)?engines\/(?:duckdb|bigquery)|app\/engine-process)\//;

/** What else names an engine: the setting's default and its sentence, and the cause of rejections that BigQuery reports. */
const uses = [
  "definitions/settings/config.ts: 'Engine that runs queries: `duckdb` (embedded) or `bigquery`.',",
  "definitions/settings/config.ts: export const defaultEngine = 'duckdb';",
  "rows/ingest/encode/row-validation-error.ts: 'bigquery',",
  "rows/ingest/insert-all/insert-events.ts: cause: 'bigquery' as const,",
  "rows/ingest/insert-all/insert-events.ts: return { source, unit: 'row', index: index + 1, reason, cause: 'bigquery', text };",
];

test('the name of an engine is known in its folders only, so that nothing else depends on which engine it is', async () => {
  const name = new RegExp(`(['"\`])(?:${engineNames().join('|')})\\1`);
  const files = (await readdir(root, { recursive: true })).filter((file) => /\.tsx?$/.test(file));
  expect(files.some((file) => own.test(file))).toBe(true);
  const found: string[] = [];
  for (const file of files.filter((each) => !own.test(each)).toSorted()) {
    const lines = (await readFile(join(root, file), 'utf8')).split('\n');
    found.push(...lines.filter((line) => name.test(line)).map((line) => `${file}: ${line.trim()}`));
  }
  expect(found.toSorted()).toEqual(uses);
});
