import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';

const security = await readFile('SECURITY.md', 'utf8');

test('each promise names the test that holds it', () => {
  const promises = security.split('\n## Promises\n')[1]?.split('\n## ')[0] ?? '';
  const rows = promises
    .split('\n')
    .filter((line) => /^\| (?!Promise|---)/.test(line) && !line.startsWith('|---'));
  expect(rows.length).toBeGreaterThan(20);
  const without = rows.filter((row) => !/`test\/[^`]+`|the type check/.test(row.split('|').at(-2) ?? ''));
  expect(without).toEqual([]);
});
