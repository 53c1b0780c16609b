import { readdir, readFile } from 'node:fs/promises';
import { dirname, join, normalize } from 'node:path';
import { expect, test } from 'vitest';
import { quoted, tableRows } from './docs/markdown.ts';

const root = join(import.meta.dirname, '../src');
const maxFilesInFolder = 25;

/** The wings in the order of imports: each uses those after it. ARCHITECTURE.md has the only list. */
const wings = (await tableRows('ARCHITECTURE.md', 'Wing')).map(([cell = '']) =>
  quoted(cell).replace('/', ''),
);

/** The wing with a build of its own, for browsers. No other uses it. */
const apart = 'console';
/** The only folder of another wing that it uses. */
const forBrowsers = 'sql/editing';

/** Edges from those who use something to what they use. */
type Uses = ReadonlyMap<string, ReadonlySet<string>>;

const files = (await readdir(root, { recursive: true, withFileTypes: true }))
  .filter((entry) => entry.isFile())
  .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1));

/** All imports of files of src, types included: of each other, relative to src, and of packages. */
const { imports, packages } = await readImports();

async function readImports() {
  const between: [string, string][] = [];
  const ofPackages: [string, string][] = [];
  for (const file of files.filter((name) => /\.[jt]sx?$/.test(name))) {
    const text = await readFile(join(root, file), 'utf8');
    for (const [, specifier = ''] of text.matchAll(/\b(?:from|import)\s*\(?\s*'([^'\s]+)'/g)) {
      const imported = normalize(join(dirname(file), specifier));
      if (!specifier.startsWith('.')) ofPackages.push([file, specifier]);
      else if (!imported.startsWith('..')) between.push([file, imported]);
    }
  }
  return { imports: between, packages: ofPackages };
}

function wingOf(file: string): string {
  return file.slice(0, file.indexOf('/'));
}

function usesOf(edges: Iterable<readonly [string, string]>): Uses {
  const uses = new Map<string, Set<string>>();
  for (const [from, to] of edges) if (from !== to) uses.set(from, (uses.get(from) ?? new Set()).add(to));
  return uses;
}

/** A shortest way back to where it starts, for each that has one. */
function circles(uses: Uses): string[] {
  return [...uses.keys()].flatMap((start) => {
    const ways: string[][] = [[start]];
    const seen = new Set<string>();
    for (const way of ways) {
      for (const next of uses.get(way.at(-1) ?? '') ?? []) {
        if (next === start) return [[...way, next].join(' → ')];
        if (!seen.has(next)) ways.push([...way, next]);
        seen.add(next);
      }
    }
    return [];
  });
}

/** The folders beside each other through which an import goes from one file to another. */
function besideEachOther([from, to]: readonly [string, string]): readonly [string, string] | undefined {
  const [a, b] = [dirname(from).split('/'), dirname(to).split('/')];
  const depth = a.findIndex((name, i) => name !== b[i]);
  if (depth === -1 || b[depth] === undefined) return undefined;
  return [a.slice(0, depth + 1).join('/'), b.slice(0, depth + 1).join('/')];
}

test('src has the wings that ARCHITECTURE.md lists, and nothing beside them', async () => {
  expect(imports.length).toBeGreaterThan(5_000);
  expect((await readdir(root)).toSorted()).toEqual(wings.toSorted());
});

test('a wing uses only those after it in the list of ARCHITECTURE.md', () => {
  const order = wings.filter((wing) => wing !== apart);
  const wrong = imports.filter(([from, to]) => {
    const [user, used] = [wingOf(from), wingOf(to)];
    if (user === apart && dirname(to) === forBrowsers) return false;
    return user !== used && !(order.includes(user) && order.indexOf(user) < order.indexOf(used));
  });
  expect(wrong.map((edge) => edge.join(' → '))).toEqual([]);
});

test(`${forBrowsers} needs nothing that browsers lack`, () => {
  const uses = usesOf(imports);
  const needed = new Set(files.filter((file) => dirname(file) === forBrowsers));
  for (const file of needed) for (const used of uses.get(file) ?? []) needed.add(used);
  expect(packages.filter(([file]) => needed.has(file)).map((edge) => edge.join(' → '))).toEqual([]);
});

test('what is in a folder uses no file that stands directly in a folder around it', () => {
  const wrong = imports.filter(([from, to]) => dirname(from).startsWith(`${dirname(to)}/`));
  expect(wrong.map((edge) => edge.join(' → '))).toEqual([]);
});

test('folders beside each other use one another in one direction', () => {
  expect(circles(usesOf(imports.map(besideEachOther).filter((edge) => edge !== undefined)))).toEqual([]);
});

test('files use one another in one direction, types included', () => {
  expect(circles(usesOf(imports))).toEqual([]);
});

test(`a folder has at most ${maxFilesInFolder} files directly in it`, () => {
  const byFolder = Map.groupBy(files, (file) => dirname(file));
  const full = [...byFolder].filter(([, { length }]) => length > maxFilesInFolder);
  expect(full.map(([folder, { length }]) => `${folder}: ${length}`)).toEqual([]);
});
