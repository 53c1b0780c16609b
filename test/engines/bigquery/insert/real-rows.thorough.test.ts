import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { systemClock } from '../../../../src/base/system/clock.ts';
import { loadSources } from '../../../../src/definitions/sources/load-sources.ts';
import type { Source } from '../../../../src/definitions/sources/source.ts';
import { DuckDbEngine } from '../../../../src/engines/duckdb/run/duckdb-engine.ts';
import type { Store } from '../../../../src/engines/duckdb/store/store.ts';
import { rowsToInsert } from '../../../../src/rows/ingest/insert-all/insert-events.ts';
import { receiveRows } from '../../../../src/rows/ingest/receive.ts';
import { Analyzer } from '../../../../src/sql/analyzer/analyzer.ts';
import type { Row, Value } from '../../../../src/sql/values/value.ts';
import { startBigQueryServer } from '../../../../src/tools/emulators/bigquery/start-server.ts';
import { tablesOfSources } from '../../../../src/tools/emulators/bigquery/tables/served-table.ts';
import { effort } from '../../../support/effort.ts';
import { rowEncoder } from '../../../support/row-encoder.ts';
import { dataset } from '../../../tools/emulators/bigquery/support/served-rows.ts';
import { openTestStore, readRows, temporaryFolder } from '../../duckdb/store/support.ts';
import { servedInserter } from './support/served-inserter.ts';

const project = path.join(import.meta.dirname, '../../../..');
const data = path.join(project, '../shared/data/ndjson');
const { signal } = new AbortController();
const rowsPerSource = 2_000 * effort;

async function* oneChunk(chunk: Uint8Array) {
  yield chunk;
}

async function byId(store: Store, source: Source): Promise<ReadonlyMap<Value, Row>> {
  const id = source.columns.findIndex(({ name }) => name === 'id');
  return new Map((await readRows(store, source)).map((row) => [row[id] ?? null, row]));
}

describe.skipIf(!existsSync(data))('the real rows', () => {
  test('are the same when they are streamed as when they are imported', async () => {
    const { sources } = await loadSources(path.join(project, 'schema/sources'));
    const imported = await openTestStore(await temporaryFolder(), ...sources);
    const streamed = await openTestStore(await temporaryFolder(), ...sources);
    const analyzer = await Analyzer.start();
    const engine = await DuckDbEngine.open({ store: streamed, now: () => 0n });
    const server = await startBigQueryServer({
      analyzer,
      engine,
      tables: tablesOfSources(sources, dataset),
      rowCount: async () => 0,
      addRows: async (source, text) => {
        await receiveRows(streamed, source, oneChunk(Buffer.from(text)), { skipBadRows: false, signal });
      },
      clock: systemClock,
      newId: randomUUID,
    });
    using served = servedInserter(server);
    for (const source of sources) {
      const file = gunzipSync(await readFile(path.join(data, `${source.name}.ndjson.gz`)));
      const texts = file.toString().trimEnd().split('\n').slice(0, rowsPerSource);
      const chunk = oneChunk(Buffer.from(texts.join('\n')));
      await receiveRows(imported, source.name, chunk, { skipBadRows: false, signal });
      const lines = texts.map(rowEncoder(source));
      const rows = rowsToInsert(source)({ text: lines.join('\n') });
      await served.inserter.insert(source, rows, { partial: false, signal, timeoutMs: 60_000 });
      const [expected, actual] = await Promise.all([imported, streamed].map((store) => byId(store, source)));
      expect(expected?.size).toBe(lines.length);
      expect(actual).toEqual(expected);
    }
    await server.close();
    await engine.close();
    await analyzer.close();
    await Promise.all([imported.close(), streamed.close()]);
  });
});
