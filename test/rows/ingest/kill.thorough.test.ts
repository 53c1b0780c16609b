import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, test } from 'vitest';
import { makeSource, openTestStore, readRows, temporaryFolder } from '../../engines/duckdb/store/support.ts';
import { effort } from '../../support/effort.ts';
import { program } from '../../support/program.ts';

const source = makeSource('logs', { name: 'n', type: 'INT64' }, { name: 'text', type: 'STRING' });

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

/** Runs an import in a process of its own; `onAcknowledged` hears of each file that it said it has imported. */
async function runImport(
  environment: NodeJS.ProcessEnv,
  files: readonly string[],
  onAcknowledged: (count: number, child: ChildProcess) => void,
): Promise<number> {
  const child = spawn(process.execPath, [program, 'import', 'logs', ...files], {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const ended = once(child, 'exit');
  let acknowledged = 0;
  onAcknowledged(acknowledged, child);
  for await (const line of createInterface({ input: child.stdout })) {
    if (files.some((file) => line.startsWith(`${file}: `))) onAcknowledged(++acknowledged, child);
  }
  await ended;
  return acknowledged;
}

test('an import killed at any moment leaves the store as before or after a file, and loses none that it acknowledged', async () => {
  const folder = await temporaryFolder();
  const sourcesDir = join(folder, 'sources');
  const dataDir = join(folder, 'data');
  await mkdir(sourcesDir);
  const schema = source.columns.map(({ name, type, mode }) => ({ name, type: type.kind, mode }));
  await writeFile(join(sourcesDir, 'logs.json'), JSON.stringify(schema));
  const environment = { DATA_DIR: dataDir, SOURCES_DIR: sourcesDir };

  const moments: number[] = [performance.now()];
  await runImport(environment, await writeFiles(folder, 0), (count) => (moments[count] = performance.now()));
  expect(moments).toHaveLength(filesPerImport + 1);
  const [started = 0, first = 0] = moments;
  const millisecondsPerFile = ((moments.at(-1) ?? 0) - first) / (filesPerImport - 1);

  // Counted from what was acknowledged, so that the moments are the same ones on a machine that is busy.
  const rounds = 4 * effort;
  let interrupted = 0;
  for (let round = 1; round <= rounds; round++) {
    const files = await writeFiles(folder, round);
    const filesBefore = round % filesPerImport;
    const spread = filesBefore === 0 ? first - started : millisecondsPerFile;
    const acknowledged = await runImport(environment, files, (count, child) => {
      if (count === filesBefore) setTimeout(() => child.kill('SIGKILL'), (spread * (round - 1)) / rounds);
    });
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
    expect(there).toBeGreaterThanOrEqual(acknowledged);
    if (there < filesPerImport) interrupted += 1;
  }
  expect(interrupted).toBeGreaterThan(0);
});
