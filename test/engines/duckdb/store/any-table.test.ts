import { describe, expect, test } from 'vitest';
import { never } from '../../../../src/base/async/race-with-abort.ts';
import type { Source } from '../../../../src/definitions/sources/source.ts';
import type { Store } from '../../../../src/engines/duckdb/store/store.ts';
import { allRowsSql } from '../../../../src/engines/duckdb/store/tables/row-table.ts';
import { rowsOf } from '../../../../src/rows/ingest/row-store.ts';
import { openTestStore, sourceOf, temporaryFolder } from './support.ts';

async function openRows(source: Source) {
  const store = await openTestStore(await temporaryFolder(), source);
  const rows = rowsOf(store);
  async function* body(given: readonly unknown[]): AsyncGenerator<Uint8Array> {
    yield Buffer.from(
      given.map((row) => `${typeof row === 'string' ? row : JSON.stringify(row)}\n`).join(''),
    );
  }
  const upload = async (given: readonly unknown[], isReplacing = false) => {
    const {
      rejected: _,
      rejectedCount: __,
      ...counts
    } = await rows.receive(source.name, body(given), {
      ...{ skipBadRows: false, isReplacing, signal: never },
    });
    return counts;
  };
  const send = async (events: readonly unknown[], partial = false) => {
    const outcome = await rows.addEvents(
      Buffer.from(JSON.stringify(events)),
      { format: 'json', source: source.name, receivedAt: BigInt(Date.now()) * 1000n, partial },
      never,
    );
    if (outcome.kind === 'rejected') return outcome.rejected.events.map(({ reason }) => reason);
    if (outcome.kind !== 'added') return outcome.kind;
    const [{ imported, duplicates } = { imported: 0, duplicates: 0 }] = outcome.rows;
    return { imported, duplicates };
  };
  return { store, rows, upload, send, read: (columns: string) => textsOf(store, source, columns) };
}

/** The rows as texts, in the order of the texts. */
async function textsOf(store: Store, source: Source, columns: string): Promise<string[]> {
  const connection = await store.connect();
  try {
    const reader = await connection.runAndReadAll(
      `SELECT concat_ws(' ', ${columns}) AS text FROM ${allRowsSql(source)} ORDER BY text`,
    );
    return reader.getRows().map(([text]) => String(text));
  } finally {
    connection.closeSync();
  }
}

const at = '2026-11-20T10:00:00Z';

describe('ids of any type', () => {
  test.each([
    ['INT64', [7, '7', '007', 9007199254740993n], ['7', '9007199254740993']],
    ['NUMERIC', ['1.50', 1.5, '2'], ['1.500000000', '2.000000000']],
    ['BIGNUMERIC', ['1.50', '1.5'], undefined],
    ['DATE', ['2026-11-20', '2026-11-21', '2026-11-20'], ['2026-11-20', '2026-11-21']],
    ['DATETIME', ['2026-11-20 10:00:00', '2026-11-20T10:00:00.000'], ['2026-11-20 10:00:00']],
    ['TIMESTAMP', [at, '2026-11-20T11:00:00+01:00'], ['2026-11-20 10:00:00']],
    ['TIME', ['10:00:00', '10:00:00.000'], ['10:00:00']],
    ['BYTES', ['AAE=', 'AAE='], ['\\x00\\x01']],
    ['BOOL', [true, false, true], ['false', 'true']],
    ['STRING', ['a', 'b', 7, '7'], ['7', 'a', 'b']],
  ])('a row with a known %s is stored once', async (type, values, expected) => {
    const source = sourceOf('s', {
      id: 'key',
      fields: [
        { name: 'timestamp', type: 'TIMESTAMP' },
        { name: 'key', type },
      ],
    });
    const json = (value: unknown) => (typeof value === 'bigint' ? String(value) : JSON.stringify(value));
    const lines = values.map((value) => `{"key":${json(value)},"timestamp":"${at}"}`);
    for (const way of ['upload', 'send'] as const) {
      const { upload, send, read } = await openRows(source);
      const add = (given: readonly string[]) =>
        way === 'upload' ? upload(given) : send(given.map((line) => JSON.parse(line)));
      const usable = way === 'upload' ? lines : lines.filter((line) => !line.includes('9007'));
      const first = await add(usable);
      const stored = await read('CAST(key AS VARCHAR)');
      if (expected !== undefined && way === 'upload') expect(stored).toEqual(expected);
      expect(first).toEqual({ imported: stored.length, duplicates: usable.length - stored.length });
      expect(await add(usable)).toEqual({ imported: 0, duplicates: usable.length });
    }
  });

  test('an event without an id that is no text is rejected, since none can be made for it', async () => {
    const source = sourceOf('s', {
      fields: [
        { name: 'id', type: 'INT64' },
        { name: 'timestamp', type: 'TIMESTAMP' },
      ],
    });
    const { send, upload } = await openRows(source);
    expect(await send([{ timestamp: at }, { id: 'x', timestamp: at }])).toEqual([
      'id: missing, but REQUIRED',
      'id: expected INT64, got "x"',
    ]);
    await expect(upload([{ timestamp: at }])).rejects.toThrow('line 1: id: missing, but REQUIRED');
  });

  test('a row without an id is stored as often as it is sent', async () => {
    const source = sourceOf('s', {
      fields: [
        { name: 'timestamp', type: 'TIMESTAMP' },
        { name: 'page', type: 'STRING' },
      ],
    });
    const { send, upload, read } = await openRows(source);
    const row = { timestamp: at, page: '/a' };
    expect(await upload([row, row])).toEqual({ imported: 2, duplicates: 0 });
    expect(await send([row])).toEqual({ imported: 1, duplicates: 0 });
    expect(await send([row])).toEqual({ imported: 1, duplicates: 0 });
    expect(await read('page')).toEqual(['/a', '/a', '/a', '/a']);
  });
});

describe('times in any column', () => {
  const fields = [
    { name: 'id', type: 'STRING' },
    { name: 'created_at', type: 'TIMESTAMP' },
    { name: 'day', type: 'DATE' },
    { name: 'clock', type: 'DATETIME' },
  ];

  test.each([
    ['created_at', '2026-11-20 10:00:00'],
    ['day', '2026-11-20'],
    ['clock', '2026-11-20 10:00:00'],
  ])('an event gets its time in %s, from the column itself or the usual fields', async (column, expected) => {
    const { send, read } = await openRows(sourceOf('s', { timestamp: column, fields }));
    await send([
      { id: 'a', [column]: at },
      { id: 'b', timestamp: at },
      { id: 'c', '@timestamp': at },
    ]);
    expect(await read(`id, ${column}`)).toEqual(['a', 'b', 'c'].map((id) => `${id} ${expected}`));
  });

  test('an event without a time, sent again, is stored once, also where times are dates', async () => {
    for (const column of ['created_at', 'day', 'clock']) {
      const { send } = await openRows(sourceOf('s', { timestamp: column, fields }));
      expect(
        await send([{ clock: '2026-11-20T10:00:00' }].map((row) => (column === 'clock' ? {} : row))),
      ).toEqual({
        imported: 1,
        duplicates: 0,
      });
      expect(
        await send([{ clock: '2026-11-20T10:00:00' }].map((row) => (column === 'clock' ? {} : row))),
      ).toEqual({
        imported: 0,
        duplicates: 1,
      });
    }
  });

  test('a further column timestamp that rows need gets the time if an event has none', async () => {
    const source = sourceOf('s', {
      timestamp: 'created_at',
      fields: [...fields, { name: 'timestamp', type: 'TIMESTAMP', mode: 'REQUIRED' }],
    });
    const { send, read } = await openRows(source);
    await send([
      { id: 'a', created_at: at },
      { id: 'b', created_at: at, timestamp: '2026-01-01T00:00:00Z' },
    ]);
    expect(await read('id, timestamp')).toEqual(['a 2026-11-20 10:00:00', 'b 2026-01-01 00:00:00']);
  });

  test('a row without its time is refused, and so is one whose time is not accepted', async () => {
    const { upload } = await openRows(sourceOf('s', { timestamp: 'day', fields }));
    await expect(upload([{ id: 'a' }])).rejects.toThrow('day: missing, but REQUIRED');
    await expect(upload([{ id: 'a', day: '2999-01-01' }])).rejects.toThrow(
      /day: expected a time from .* got "2999-01-01"/,
    );
  });

  test('old rows are found by it', async () => {
    const source = sourceOf('s', { timestamp: 'day', fields });
    const { store, upload, read } = await openRows(source);
    await upload([
      { id: 'a', day: '2026-11-18' },
      { id: 'b', day: '2026-11-20' },
    ]);
    const before = BigInt(Date.parse('2026-11-20T00:00:00Z')) * 1000n;
    expect(await store.countBefore(source, before)).toBe(1);
    expect(await store.deleteRows(source, { before }, never)).toBe(1);
    expect(await read('id')).toEqual(['b']);
    const [state] = await store.sourceStates();
    expect(state).toMatchObject({ rows: 1, oldest: before, newest: before });
  });
});
