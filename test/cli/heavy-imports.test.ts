import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';

/** `import … from '…'`, `export … from '…'` and `import '…'`, but for those that are of types only. */
const fixed = /^(?:import|export)\s+(?!type\b)(?:[\w$*{},\s]*?\sfrom\s+)?'([^']+)'/gm;
const called = /\bimport\(\s*'([^']+)'\s*\)/g;

/** What the embedded engine's definition imports for commands only, such as `explain` and `check`. Gateways ask the engine process. */
const ofCommands = [
  'src/app/engines/duckdb/explain.ts',
  'src/app/engines/duckdb/slices-of.ts',
  'src/engines/duckdb/run/check-plan.ts',
];

/** Which packages the modules import that are reached from one, apart from {@link ofCommands}. */
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
    const reached = files.map((name) => path.join(path.dirname(file), name));
    for (const each of reached) if (!ofCommands.includes(each)) pending.add(each);
  }
  return packages;
}

/** The modules that import one of the packages. */
function loading(packages: ReadonlyMap<string, readonly string[]>, wanted: RegExp): string[] {
  return [...packages].filter(([, names]) => names.some((name) => wanted.test(name))).map(([file]) => file);
}

const duckDb = /^@duckdb\//;
/** What speaks with the analyzer. */
const analyzer = /^(?:@grpc\/|protobufjs)/;

test('a gateway starts without DuckDB', async () => {
  const packages = await importsFrom('src/app/gateway/run-gateway.ts', [fixed]);
  expect(packages.size).toBeGreaterThan(250);
  expect(loading(packages, duckDb)).toEqual([]);
});

test.each([
  'src/app/gateway/run-gateway.ts',
  'src/cli/serve/serve.ts',
  'src/cli/mcp/mcp.ts',
  'src/cli/demo/demo.ts',
  'src/cli/dev/dev.ts',
])('what %s loads never loads DuckDB', async (start) => {
  const packages = await importsFrom(start, [fixed, called]);
  expect(packages.size).toBeGreaterThan(250);
  expect(loading(packages, duckDb)).toEqual([]);
});

test('the engine process loads it', async () => {
  const packages = await importsFrom('src/app/engine-process/engine-process.ts', [fixed]);
  expect(loading(packages, duckDb)).not.toEqual([]);
});

test('the event loop of a gateway never parses the analyzer’s responses', async () => {
  expect(loading(await importsFrom('src/cli/serve/serve.ts', [fixed, called]), analyzer)).toEqual([]);
});

test('the planning thread does', async () => {
  expect(loading(await importsFrom('src/calls/planner/thread.ts', [fixed]), analyzer)).not.toEqual([]);
});

test('an import loads no HTTP client: reading the exports of `node:http` loads undici', async () => {
  const packages = await importsFrom('src/cli/import/import.ts', [fixed]);
  expect(packages.size).toBeGreaterThan(250);
  expect(loading(packages, /^node:https?$/)).toEqual([]);
});
