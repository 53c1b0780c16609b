import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';

/** The modules that may load DuckDB into the gateway's process, and all that is loaded by them. */
const allowed = ['src/cli/engine/open-duckdb.ts'];

/** `import … from '…'`, `export … from '…'` and `import '…'`, but for those that are of types only. */
const fixed = /^(?:import|export)\s+(?!type\b)(?:[^'";]*?\sfrom\s+)?'([^']+)'/gm;
const called = /\bimport\(\s*'([^']+)'\s*\)/g;

/** Which packages the modules import that are reached from one. Those of `ends` are reached, and not looked into. */
async function importsFrom(
  start: string,
  kinds: readonly RegExp[],
  ends: readonly string[] = [],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const packages = new Map<string, readonly string[]>();
  const pending = new Set([start]);
  for (const file of pending) {
    if (ends.includes(file)) continue;
    const text = await readFile(file, 'utf8');
    const names = kinds.flatMap((kind) => [...text.matchAll(kind)].map(([, name = '']) => name));
    const files = names.filter((name) => name.startsWith('.'));
    packages.set(
      file,
      names.filter((name) => !name.startsWith('.')),
    );
    for (const name of files) pending.add(path.join(path.dirname(file), name));
  }
  return packages;
}

function loadingDuckDb(packages: ReadonlyMap<string, readonly string[]>): string[] {
  const isDuckDb = (name: string) => name.startsWith('@duckdb/');
  return [...packages].filter(([, names]) => names.some(isDuckDb)).map(([file]) => file);
}

test('a gateway starts without DuckDB, as it may run on BigQuery', async () => {
  const packages = await importsFrom('src/cli/run-gateway.ts', [fixed]);
  expect(packages.size).toBeGreaterThan(300);
  expect(loadingDuckDb(packages)).toEqual([]);
});

test.each(['src/cli/run-gateway.ts', 'src/cli/serve.ts', 'src/cli/demo/demo.ts'])(
  'what %s loads, loads DuckDB where the embedded engine is opened and nowhere else',
  async (start) => {
    const packages = await importsFrom(start, [fixed, called], allowed);
    expect(packages.size).toBeGreaterThan(300);
    expect(loadingDuckDb(packages)).toEqual([]);
  },
);

test.each(allowed)('%s is one that loads it', async (file) => {
  expect(loadingDuckDb(await importsFrom(file, [fixed]))).not.toEqual([]);
});
