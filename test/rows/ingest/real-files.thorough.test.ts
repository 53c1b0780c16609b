import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { loadSources } from '../../../src/definitions/sources/load-sources.ts';
import { receiveRows } from '../../../src/rows/ingest/receive.ts';
import type { SqlType } from '../../../src/sql/values/type.ts';
import type { Value } from '../../../src/sql/values/value.ts';
import { openTestStore, readRows, temporaryFolder } from '../../engines/duckdb/store/support.ts';

const project = join(import.meta.dirname, '../../..');
const data = join(project, '../shared/data/ndjson');

/** What a JSON value of the sample files is to its type, written down independently of the importer. */
function expected(type: SqlType, json: unknown): Value {
  if (type.kind === 'ARRAY') {
    return (Array.isArray(json) ? json : []).map((item) => expected(type.element, item));
  }
  if (json === null || json === undefined) return null;
  if (type.kind === 'STRUCT') {
    const record = new Map(Object.entries(json));
    return type.fields.map((field) => expected(field.type, record.get(field.name)));
  }
  if (type.kind === 'INT64') return BigInt(Number(json));
  if (type.kind === 'TIMESTAMP') {
    const [, seconds = '', micros = ''] = /^(.*)\.(\d{6})Z$/.exec(String(json)) ?? [];
    return BigInt(Date.parse(`${seconds}Z`)) * 1000n + BigInt(micros);
  }
  return typeof json === 'number' || typeof json === 'boolean' ? json : String(json);
}

describe.skipIf(!existsSync(data))('the real rows', () => {
  test('are all imported, each value as its line has it', async () => {
    const { sources } = await loadSources(join(project, 'schema/sources'));
    const store = await openTestStore(await temporaryFolder(), ...sources);
    for (const source of sources) {
      const file = await readFile(join(data, `${source.name}.ndjson.gz`));
      async function* body() {
        yield file;
      }
      const { signal } = new AbortController();
      const result = await receiveRows(store, source.name, body(), { skipBadRows: false, signal });
      const lines = gunzipSync(file).toString().trimEnd().split('\n');
      expect(result).toEqual({ imported: lines.length, duplicates: 0, rejected: [], rejectedCount: 0 });

      const rows = await readRows(store, source, 'ORDER BY "timestamp" DESC LIMIT 500');
      const newest = lines
        .map((line) => JSON.parse(line))
        .map((json) => source.columns.map(({ name, type }) => expected(type, json[name])))
        .filter((row) => rows.some(([id]) => id === row[0]));
      expect(new Map(rows.map((row) => [row[0], row]))).toEqual(new Map(newest.map((row) => [row[0], row])));
      expect(newest).toHaveLength(500);
    }
  });
});
