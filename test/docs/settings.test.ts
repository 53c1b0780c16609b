import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { settingsText } from './settings-text.ts';

test('docs/settings.md lists every setting as the code describes it (`npm run docs:settings` writes it)', async () => {
  const text = await readFile('docs/settings.md', 'utf8');
  expect(text).toBe(settingsText(text));
});
