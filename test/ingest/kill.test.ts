import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { makeSource, openTestStore, readRows, temporaryFolder } from '../engines/duckdb/store/support.ts';

const source = makeSource('logs', { name: 'n', type: 'INT64' }, { name: 'text', type: 'STRING' });
const main = join(import.meta.dirname, '../../src/cli/main.ts');

const filesPerImport = 4;
const rowsPerFile = 3000;

/** Writes the files of one import: rows with ids of their own, large enough that importing takes a while. */
async function writeFiles(folder: string, round: number): Promise<string[]> {
  const files = Array.from({ length: filesPerImport }, (_, k) => join(folder, `${round}-${k}.ndjson`));
  for (const [k, file] of files.entries()) {
    const lines = Array.from({ length: rowsPerFile }, (_, n) =>
      JSON.stringify({ id: `${round}-${k}-${n}`, timestamp: (n * 7919) % 1000, n, text: 'x'.repeat(200) }),
    );
    await writeFile(file, lines.join('\n'));
  }
  return files;
}

/** Runs an import in a process of its own and kills it after so many milliseconds. */
async function importAndKill(environment: NodeJS.ProcessEnv, files: readonly string[], afterMs: number) {
  const child = spawn(process.execPath, [main, 'import', 'logs', ...files], {
    env: { ...process.env, ...environment },
    stdio: 'ignore',
  });
  const ended = once(child, 'exit');
  await Promise.race([setTimeout(afterMs), ended]);
  child.kill('SIGKILL');
  await ended;
}

test('an import killed at any moment leaves the store as before or after a file', async () => {
  const folder = await temporaryFolder();
  const sourcesDir = join(folder, 'sources');
  const dataDir = join(folder, 'data');
  await mkdir(sourcesDir);
  const schema = source.columns.map(({ name, type, mode }) => ({ name, type: type.kind, mode }));
  await writeFile(join(sourcesDir, 'logs.json'), JSON.stringify(schema));
  const environment = { DATA_DIR: dataDir, SOURCES_DIR: sourcesDir };

  const started = performance.now();
  await importAndKill(environment, await writeFiles(folder, 0), 60_000);
  const wholeImport = performance.now() - started;

  const rounds = 8;
  let interrupted = 0;
  for (let round = 1; round <= rounds; round++) {
    const files = await writeFiles(folder, round);
    await importAndKill(environment, files, wholeImport * (0.2 + (0.8 * round) / rounds));
    const store = await openTestStore(dataDir, source);
    const counts = new Map<string, number>();
    for (const [id] of await readRows(store, source)) {
      const file = String(id).replace(/-\d+$/, '');
      counts.set(file, (counts.get(file) ?? 0) + 1);
    }
    await store.close();
    expect([...counts.values()].every((count) => count === rowsPerFile)).toBe(true);
    const there = files.filter((_, k) => counts.has(`${round}-${k}`)).length;
    expect([...counts.keys()].filter((file) => file.startsWith(`${round}-`)).sort()).toEqual(
      Array.from({ length: there }, (_, k) => `${round}-${k}`),
    );
    if (there < filesPerImport) interrupted += 1;
  }
  expect(interrupted).toBeGreaterThan(0);
}, 120_000);
