import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { settingDescriptions } from '../../src/definitions/settings/config.ts';
import { blocksOf } from './markdown.ts';

const files = ['docs/deploying.md', 'docs/operating.md', 'SECURITY.md', 'CONTRIBUTING.md'];
const known = settingDescriptions.map(({ variable }) => variable);

test('what is shown to deploy sets settings that there are', async () => {
  const blocks = (await Promise.all(files.map((file) => blocksOf(file, 'sh')))).flat();
  const variables = blocks.flatMap((block) =>
    [...block.matchAll(/\b([A-Z][A-Z_]+)=/g)].map(([, name = '']) => name),
  );
  expect(variables.length).toBeGreaterThan(5);
  for (const name of variables) if (!name.startsWith('OTEL_')) expect(known).toContain(name);
});

test.each(files)('%s names settings and files that there are', async (file) => {
  const text = await readFile(file, 'utf8');
  const named = [...text.matchAll(/`([A-Z][A-Z_]+_[A-Z_]+)(?:=[^`]*)?`/g)].map(([, name = '']) => name);
  const codes = /^(OTEL_|GOOGLE_APPLICATION_|TEST_|XDG_|NODE_|OVERLOADED|UNAUTHENTICATED)/;
  for (const name of named) if (!codes.test(name)) expect(known).toContain(name);
  const paths = [...text.matchAll(/`((?:src|test|docs)\/[\w./-]+)`/g)].map(([, target = '']) => target);
  for (const target of paths) expect(existsSync(target), target).toBe(true);
});
