import { join } from 'node:path';
import { sizeOfFile } from '../../../../src/base/system/exists.ts';
import { openStore } from '../../../../src/engines/duckdb/store/open-store.ts';
import { ingestBatch } from './ingest-batches.ts';
import { makeSource } from './make-source.ts';

/** The sources of `ingesting-process.ts`. */
export const ingestedSources = [
  makeSource('first', { name: 'text', type: 'STRING' }),
  makeSource('second', { name: 'text', type: 'STRING' }),
] as const;

const writers = 20;
const text = 'x'.repeat(2000);

/**
 * Ingests without end. Prints the ids of each request once it is acknowledged, and before them the size of the write-ahead log then,
 * in bytes.
 */
async function ingestForEver(dataDir: string, round: string): Promise<void> {
  const store = await openStore({
    ...{ dataDir, sources: ingestedSources, memoryLimit: '500MB', threads: 2 },
    // A checkpoint every few commits.
    logBytes: 1_000_000,
  });
  // The store's timers don't keep a process alive.
  setInterval(() => undefined, 60_000);
  const write = async (writer: number) => {
    for (let n = 0; ; n++) {
      const at = new Date().toISOString();
      const ids = ingestedSources.map((_, i) => `${round}-${writer}-${n}-${i}`);
      const batches = ingestedSources.map((source, i) =>
        ingestBatch(source, [{ id: ids[i] ?? '', timestamp: at, text }]),
      );
      await store.ingest(batches);
      const logBytes = await sizeOfFile(join(dataDir, 'store.duckdb.wal'));
      process.stdout.write(`${logBytes} ${ids.join(' ')}\n`);
      // Some senders miss an acknowledgement.
      if (n % 5 === 0) await store.ingest(batches);
    }
  };
  await Promise.all(Array.from({ length: writers }, (_, writer) => write(writer)));
}

const [, script, dataDir, round] = process.argv;
if (script === import.meta.filename && dataDir !== undefined) await ingestForEver(dataDir, round ?? '');
