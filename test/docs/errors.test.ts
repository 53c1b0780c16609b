import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { errorCatalogue } from '../../src/base/errors/errors.ts';

test('docs/errors.md lists the catalogue, each code with its status and meaning, in the same order', async () => {
  const text = await readFile('docs/errors.md', 'utf8');
  const rows = text.split('\n').filter((line) => line.startsWith('| `'));
  expect(rows).toEqual(
    Object.entries(errorCatalogue).map(
      ([code, { status, meaning }]) => `| \`${code}\` | ${status} | ${meaning} |`,
    ),
  );
});
