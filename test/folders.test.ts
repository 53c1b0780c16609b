import { readdir, readFile } from 'node:fs/promises';
import { dirname, join, normalize, sep } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../src');

/** Which of the folders beside each other import from which: a folder's path leads to those that its files know. */
async function knownFolders(): Promise<Map<string, Set<string>>> {
  const known = new Map<string, Set<string>>();
  for (const file of await readdir(root, { recursive: true })) {
    if (!/\.[jt]sx?$/.test(file)) continue;
    const text = await readFile(join(root, file), 'utf8');
    for (const [, specifier = ''] of text.matchAll(/\b(?:from|import)\s*\(?\s*'(\.[^']+)'/g)) {
      const from = file.split(sep).slice(0, -1);
      const to = dirname(normalize(join(dirname(file), specifier))).split(sep);
      const shared = from.findIndex((name, i) => name !== to[i]);
      if (shared === -1 || to[shared] === undefined || to[shared] === '.') continue;
      const [importer, imported] = [from, to].map((path) => path.slice(0, shared + 1).join('/'));
      if (importer === undefined || imported === undefined) continue;
      known.set(importer, (known.get(importer) ?? new Set()).add(imported));
    }
  }
  return known;
}

/** A way from a folder back to itself, if there is one. */
function cycleFrom(
  start: string,
  known: ReadonlyMap<string, ReadonlySet<string>>,
): readonly string[] | undefined {
  const ways: string[][] = [[start]];
  const seen = new Set<string>();
  for (const way of ways) {
    for (const next of known.get(way.at(-1) ?? '') ?? []) {
      if (next === start) return [...way, next];
      if (seen.has(next)) continue;
      seen.add(next);
      ways.push([...way, next]);
    }
  }
  return undefined;
}

test('folders beside each other import in one direction only', async () => {
  const known = await knownFolders();
  expect(known.size).toBeGreaterThan(20);
  expect([...known.keys()].map((folder) => cycleFrom(folder, known)).filter((cycle) => cycle)).toEqual([]);
});

test('the root of src holds only what belongs to all', async () => {
  const entries = await readdir(root, { withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map(({ name }) => name);
  expect(files.toSorted()).toEqual([
    'clock.ts',
    'config.ts',
    'errors.ts',
    'log.ts',
    'package-folder.ts',
    'problem.ts',
    'version.ts',
  ]);
});
