import { mkdir, rmdir } from 'node:fs/promises';
import path from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { openEngineProcess } from '../../../../src/app/engines/duckdb/open-engine-process.ts';
import { readConfig } from '../../../../src/app/engines/registry.ts';
import { readServerFile } from '../../../../src/engines/duckdb/store/file/server-file.ts';
import { makeSource, temporaryFolder } from '../../../engines/duckdb/store/support.ts';

test('an engine answers where nothing can be written, also when it was started again, and is announced later', async () => {
  const dataDir = await temporaryFolder();
  const told: string[] = [];
  const log = (message: string) => void told.push(message);
  const { supervised, store, announce, isReady, close } = await openEngineProcess(
    readConfig({ DATA_DIR: dataDir }),
    [makeSource('logs')],
    { log: { info: log, warn: log, error: log } },
  );
  onTestFinished(close);
  // As a full disk does, it keeps the file from being written.
  const passing = path.join(dataDir, `server.json.${process.pid}`);
  const announced = (storePid: number) =>
    vi.waitFor(async () => expect(await readServerFile(dataDir)).toMatchObject({ storePid }), {
      ...{ timeout: 60_000, interval: 100 },
    });
  await mkdir(passing);
  await announce?.({ url: 'http://127.0.0.1:1', token: 'token' });
  const pid = await supervised.pid();
  await rmdir(passing);
  await announced(pid);

  await mkdir(passing);
  process.kill(pid, 'SIGKILL');
  await expect.poll(() => isReady?.(), { interval: 1 }).toBe(false);
  const next = await supervised.pid();
  expect(next).not.toBe(pid);
  expect(await store.rowCounts()).toEqual(new Map([['logs', 0]]));
  expect(told).toContain('import commands do not find this gateway for now');

  await rmdir(passing);
  await announced(next);
});
