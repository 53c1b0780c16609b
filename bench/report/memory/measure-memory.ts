import { cp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readConfig } from '../../../src/app/engines/registry.ts';
import { countsBetween, fetchCounts } from '../../counts.ts';
import { sendOpenLoad } from '../../open-load.ts';
import { collect } from '../../parts/collect.ts';
import { proveOrigin } from '../../parts/overload.ts';
import { judge, kinds } from '../../parts/overload-kinds.ts';
import { about, prove } from '../../proof.ts';
import { benchKey, type GatewayCommand, startGateway } from '../../started-gateway.ts';
import { importFile } from '../../store/import-file.ts';
import { type MemoryData, type MemoryState, memoryStates } from './memory-data.ts';
import { type ProcessBytes, processBytes } from './process-bytes.ts';

export interface MemoryOptions extends Omit<GatewayCommand, 'dataDir'> {
  readonly folder: string;
  readonly rows: number;
  readonly store: (rows: number) => Promise<string>;
  readonly print: (text: string) => void;
  readonly now: () => bigint;
  /** Starts of a gateway. */
  readonly rounds: number;
  /** How long each state lasts, in seconds. */
  readonly seconds: number;
}

const sampleMs = 250;
const connections = 16;
/** More requests per second than are answered, so that the connections are always busy. */
const unlimited = 20_000;
const [collectors, rowsPerRequest, sampleRows] = [100, 50, 5_000];

/**
 * Measures the memory of a gateway's processes at rest, under each kind of load, and afterwards. Proves that each answer
 * was right, and that it came from the cache or the engine as meant.
 *
 * @throws MeasurementError
 */
export async function measureMemory(options: MemoryOptions): Promise<MemoryData> {
  const { rows, rounds, seconds, folder, environment } = options;
  const dataDir = await options.store(rows);
  const config = readConfig({ DATA_DIR: dataDir, DUCKDB_MEMORY_LIMIT: environment.DUCKDB_MEMORY_LIMIT });
  const sample = join(folder, 'sample-of-memory.ndjson');
  const measured = new Map(
    memoryStates.map((state) => [state, { answers: 0, rounds: [] as ProcessBytes[] }]),
  );
  await importFile(sample, { rows: sampleRows, now: options.now() });
  try {
    for (let round = 0; round < rounds; round += 1) {
      for await (const { state, answers, bytes } of statesOfOneStart({ ...options, dataDir, sample })) {
        const one = measured.get(state);
        if (one !== undefined) one.answers += answers;
        one?.rounds.push(bytes);
      }
    }
  } finally {
    await rm(sample, { force: true });
  }
  return {
    ...{ rows, seconds },
    engineLimit: config.duckdbMemoryLimit,
    cacheBytes: config.cacheMemoryMb * 1_000_000,
    states: memoryStates.map((state) => ({ state, answers: 0, rounds: [], ...measured.get(state) })),
  };
}

interface StateBytes {
  readonly state: MemoryState;
  readonly answers: number;
  readonly bytes: ProcessBytes;
}

async function* statesOfOneStart({
  dataDir,
  sample,
  seconds,
  print,
  ...options
}: MemoryOptions & { readonly dataDir: string; readonly sample: string }): AsyncGenerator<StateBytes> {
  // Rows are added to a copy.
  const copy = `${dataDir}-of-memory`;
  await using removed = new AsyncDisposableStack();
  removed.defer(() => rm(copy, { recursive: true, force: true }));
  await rm(copy, { recursive: true, force: true });
  await cp(dataDir, copy, { recursive: true });
  await using gateway = await startGateway({ ...options, dataDir: copy });
  const pid = gateway.process.pid ?? 0;
  const during = async (state: MemoryState, load: () => Promise<number>): Promise<StateBytes> => {
    const samples: ProcessBytes[] = [];
    const ended = new AbortController();
    const look = (async () => {
      while (!ended.signal.aborted) {
        samples.push(await processBytes(pid));
        await sleep(sampleMs, undefined, { signal: ended.signal }).catch(() => undefined);
      }
    })();
    // Its failure is thrown when the load has ended.
    look.catch(() => {});
    const answers = await about(state, load).finally(() => ended.abort());
    await look;
    const most = samples.reduce((a, b) => (totalOf(b) > totalOf(a) ? b : a));
    print(`  ${state}: ${Math.round(totalOf(most) / 1e6)} MB`);
    return { state, answers, bytes: most };
  };
  // At the end rather than the most: what is left of the start, or of the load.
  const atEndOfRest = async (state: MemoryState): Promise<StateBytes> => {
    await sleep(seconds * 1000);
    const bytes = await processBytes(pid);
    print(`  ${state}: ${Math.round(totalOf(bytes) / 1e6)} MB`);
    return { state, answers: 0, bytes };
  };
  const answersTo = async (what: string) => {
    const kind = kinds().find((one) => one.what === what);
    if (kind === undefined) throw new Error(`no requests of ${what}`);
    const counts = () => fetchCounts(`http://127.0.0.1:${gateway.port}`, benchKey);
    let number = 0;
    const load = (lasting: number, perSecond: number) =>
      sendOpenLoad({
        ...{ port: gateway.port, perSecond, seconds: lasting, connections },
        request: () => kind.request(number++),
        judge: (status, body) => judge(kind, status, body),
      });
    // A hit needs a result.
    if (kind.from === 'cache') await load(1, 2);
    const before = await counts();
    const { times } = await load(seconds, unlimited);
    proveOrigin(kind, countsBetween(before, await counts()), times.length);
    return times.length;
  };
  yield await atEndOfRest('at rest');
  yield await during('cache hits', () => answersTo('hit'));
  yield await during('stored queries', () => answersTo('stored query'));
  yield await during("callers' queries", () => answersTo("caller's query"));
  yield await during('ingestion', async () => {
    const order = { file: sample, collectors, rowsPerRequest, seconds, everyMs: 0, prefix: 'memory' };
    const { acknowledgedRows } = await collect({ ...order, port: gateway.port, key: benchKey });
    prove(acknowledgedRows > 0, 'no rows were acknowledged');
    return acknowledgedRows;
  });
  yield await atEndOfRest('afterwards');
}

/** The bytes of all processes. */
export function totalOf(bytes: ProcessBytes): number {
  return Object.values(bytes).reduce((sum, one) => sum + one, 0);
}
