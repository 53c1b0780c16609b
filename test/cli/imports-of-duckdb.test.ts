import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';

/** `import … from '…'`, `export … from '…'` and `import '…'`, but for those that are of types only. */
const fixed = /^(?:import|export)\s+(?!type\b)(?:[^'";]*?\sfrom\s+)?'([^']+)'/gm;
const called = /\bimport\(\s*'([^']+)'\s*\)/g;

/** Which packages the modules import that are reached from one. */
async function importsFrom(
  start: string,
  kinds: readonly RegExp[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const packages = new Map<string, readonly string[]>();
  const pending = new Set([start]);
  for (const file of pending) {
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

test('a gateway starts without DuckDB', async () => {
  const packages = await importsFrom('src/cli/run-gateway.ts', [fixed]);
  expect(packages.size).toBeGreaterThan(300);
  expect(loadingDuckDb(packages)).toEqual([]);
});

test.each(['src/cli/run-gateway.ts', 'src/cli/serve.ts', 'src/cli/demo/demo.ts'])(
  'what %s loads never loads DuckDB',
  async (start) => {
    const packages = await importsFrom(start, [fixed, called]);
    expect(packages.size).toBeGreaterThan(300);
    expect(loadingDuckDb(packages)).toEqual([]);
  },
);

test('the engine process loads it', async () => {
  expect(loadingDuckDb(await importsFrom('src/engine-process/engine-process.ts', [fixed]))).not.toEqual([]);
});
