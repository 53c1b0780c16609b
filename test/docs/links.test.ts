import { existsSync, globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { anchorsOf } from './markdown.ts';

const files = globSync(['*.md', 'docs/**/*.md']);

test.each(files)('the links of %s lead to files and headings that exist', async (file) => {
  const links = (await readFile(file, 'utf8')).matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([^)]*))?\)/g);
  for (const [link, target = '', anchor] of links) {
    const targetFile = target === '' ? file : path.join(path.dirname(file), target);
    expect(existsSync(targetFile), link).toBe(true);
    if (anchor !== undefined) expect(await anchorsOf(targetFile), link).toContain(anchor);
  }
});

test.each(files)('the files and folders of the repository that %s names exist', async (file) => {
  const paths = (await readFile(file, 'utf8')).matchAll(
    /`((?:bench|deploy|docs|schema|src|test)\/[^`\s<*]*)`/g,
  );
  expect(Array.from(paths, ([, named = '']) => named).filter((named) => !existsSync(named))).toEqual([]);
});

test('docs/decisions/README.md lists every decision once', async () => {
  const records = globSync('*.md', { cwd: 'docs/decisions' }).filter((name) => name !== 'README.md');
  const links = (await readFile('docs/decisions/README.md', 'utf8')).matchAll(/\]\(([a-z\d-]+\.md)\)/g);
  expect(Array.from(links, ([, target]) => target).toSorted()).toEqual(records.toSorted());
});
