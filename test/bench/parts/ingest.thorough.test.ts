import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { type CollectorOrder, collectorReport } from '../../../bench/parts/collector-order.ts';
import { measureIngest } from '../../../bench/parts/ingest.ts';
import { importFile } from '../../../bench/store/import-file.ts';
import { portOf } from '../../support/redis.ts';
import { type TinyStore, tinyStore } from '../tiny-store.ts';

describe('the measurement of collectors', () => {
  let store: TinyStore;
  beforeAll(async () => {
    store = await tinyStore();
  });
  afterAll(() => store[Symbol.asyncDispose]());

  it('finds each acknowledged row once', async () => {
    const findings = await measureIngest({
      ...{ dataDir: store.dataDir, packageDir: process.cwd(), environment: process.env },
      ...{ print: () => undefined, rows: 1_000, minutes: 0.1, seconds: 1, quietSeconds: 1 },
    });
    expect(findings.map(({ what }) => what)).toEqual([
      '100 collectors in a closed loop',
      'acknowledgements under a steady load',
      'usage.api-counts meanwhile',
      'newest 100 of logs.all meanwhile',
      'cached calls meanwhile',
      'memory of the gateway',
      'memory of the engine',
      'newest 100 afterwards',
    ]);
  }, 120_000);
});

describe('collectors', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'bench-collectors-'));
    await importFile(join(folder, 'rows.ndjson'), { rows: 100, now: BigInt(Date.now()) * 1000n });
  });
  afterAll(() => rm(folder, { recursive: true }));

  /** Runs collectors against a server that answers the bodies with these statuses, then with 200. */
  async function collect(statuses: number[], settings: Partial<CollectorOrder> = {}) {
    const bodies: { readonly id: string; readonly timestamp: string }[][] = [];
    const server = createServer(async (request, response) => {
      const pieces = await request.toArray();
      const status = statuses.shift() ?? 200;
      if (status === 200) bodies.push(JSON.parse(Buffer.concat(pieces).toString()));
      response
        .writeHead(status, { ...(status === 503 && { 'Retry-After': '0' }), 'Content-Length': 2 })
        .end('{}');
    }).listen(0);
    onTestFinished(() => void server.close());
    const workerData: CollectorOrder = {
      ...{
        port: portOf(server),
        key: 'key',
        file: join(folder, 'rows.ndjson'),
        prefix: 'x',
        rowsPerRequest: 10,
      },
      ...{ collectors: 3, seconds: 0.2, everyMs: 0, ...settings },
    };
    const worker = new Worker(new URL('../../../bench/parts/collector-worker.ts', import.meta.url), {
      workerData,
    });
    const [message] = await Promise.race([
      new Promise<unknown[]>((resolve) => worker.once('message', (...args) => resolve(args))),
      new Promise<never>((_, reject) => worker.once('error', reject)),
    ]);
    return { report: collectorReport.parse(message), rows: bodies.flat() };
  }

  it('send every row with an id of its own and the time', async () => {
    const { report, rows } = await collect([]);
    expect(rows).toHaveLength(report.acknowledgedRows);
    expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length);
    for (const { id, timestamp } of rows) {
      expect(id).toMatch(/^x-\d+-+$/);
      expect(Math.abs(Date.parse(timestamp) - Date.now())).toBeLessThan(60_000);
    }
  });

  it('send a refused batch again', async () => {
    const { report, rows } = await collect([503, 503, 200]);
    expect(report.refusals).toBe(2);
    expect(rows).toHaveLength(report.acknowledgedRows);
    expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length);
  });

  it('fail at any other answer, and for a file with too few rows', async () => {
    await expect(collect([400])).rejects.toThrow('a batch was answered HTTP/1.1 400');
    await writeFile(join(folder, 'few.ndjson'), '{}\n');
    await expect(collect([], { file: join(folder, 'few.ndjson') })).rejects.toThrow('too few rows');
  });

  it('send as often as they are told, whatever the answers take', async () => {
    const { report } = await collect([], { everyMs: 100, seconds: 0.25 });
    // At 0, 100 and 200 milliseconds, and each of the three a little later.
    expect(report.times).toHaveLength(9 - 1);
  });
});
