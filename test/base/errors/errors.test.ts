import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { errorCatalogue } from '../../../src/base/errors/errors.ts';

const codes = Object.entries(errorCatalogue);

/** The text of every source file but the catalogue's own, and but those that speak for BigQuery, which has other codes. */
let sources: string[];
beforeAll(async () => {
  const files = await readdir('src', { recursive: true });
  sources = await Promise.all(
    files
      .filter((file) => file.endsWith('.ts') && file !== 'base/errors/errors.ts')
      .filter(
        (file) =>
          !['tools/emulators/bigquery', 'console/'].some((folder) => file.startsWith(path.normalize(folder))),
      )
      .map((file) => readFile(path.join('src', file), 'utf8')),
  );
});

describe('the catalogue of errors', () => {
  test('holds every code that the program raises', () => {
    const raised = sources.flatMap((text) =>
      [...text.matchAll(/(?:new GatewayError\(\s*|\bcode: |\.code = )'([A-Z][A-Z_]+)'/g)].map(
        ([, code]) => code,
      ),
    );
    expect(raised.length).toBeGreaterThan(40);
    for (const code of raised) expect(errorCatalogue).toHaveProperty(code as string);
  });

  test.each(codes)('has %s for something that is raised', (code) => {
    const isRaised = sources.some((text) => new RegExp(`'${code}'`).test(text));
    expect(isRaised).toBe(true);
  });

  test('gives statuses of HTTP errors, in order', () => {
    const statuses = codes.map(([, { status }]) => status);
    expect(statuses).toEqual([...statuses].sort((a, b) => a - b));
    for (const status of statuses) expect(status).toSatisfy((number) => number >= 400 && number < 600);
  });
});
