import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, test } from 'vitest';
import { products } from './replacing-process.ts';
import { openTestStore, readRows, temporaryFolder } from './support.ts';

test('replacing all rows, killed at any moment, leaves the rows of the last commit', async () => {
  const folder = await temporaryFolder();
  let version = 0;
  for (let round = 0; round < 3; round++) {
    const script = join(import.meta.dirname, 'replacing-process.ts');
    const child = spawn(process.execPath, [script, folder, String(version)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const ended = once(child, 'exit');
    let replaced = 0;
    for await (const line of createInterface({ input: child.stdout })) {
      version = Number(line);
      replaced += 1;
      if (replaced === 3 + round) setTimeout(() => child.kill('SIGKILL'), 17 * round);
    }
    expect(await ended).toEqual([null, 'SIGKILL']);
    const store = await openTestStore(folder, products);
    const stored = new Set((await readRows(store, products)).map(([, each]) => Number(each)));
    const [rows] = (await store.rowCounts()).values();
    await store.close();
    expect(rows).toBe(2_000);
    expect(stored.size).toBe(1);
    // The last one may have been committed and not told.
    const [only = -1] = stored;
    expect(only).toBeGreaterThanOrEqual(version);
    version = only;
  }
});
