import { describe, expect, test } from 'vitest';
import type { Source, SourceSettings } from '../../../src/definitions/sources/source.ts';
import { MadeIds } from '../../../src/rows/ingest/parse/made-ids.ts';
import { type RowForm, RowParser } from '../../../src/rows/ingest/parse/row-parser.ts';
import { RowPreparation } from '../../../src/rows/ingest/parse/row-preparation.ts';
import { makeSource } from '../../engines/duckdb/store/make-source.ts';

const source = (settings: Partial<SourceSettings> = {}): Source => ({
  ...makeSource(
    's',
    { name: 'event_message', type: 'STRING' },
    { name: 'shop', type: 'STRING' },
    { name: 'log_level', type: 'STRING', description: 'Sent as "log.level".' },
  ),
  ...settings,
});

/** A row as it is stored, apart from the form of its values; or why it is refused. */
function prepared(row: object, settings: Partial<SourceSettings> = {}, form: RowForm = {}) {
  const text = JSON.stringify(row);
  const bad = new RowParser(source(settings), form).add({ number: 1, text });
  if (bad !== undefined) return bad.reason;
  const copy = JSON.parse(text);
  new RowPreparation(source(settings), form.ids, form.zone).prepare(copy, 1, text);
  return JSON.parse(JSON.stringify(copy));
}

const time = '2024-05-01T10:00:00Z';

describe('rows of files and uploads are made as events are', () => {
  test('fields are renamed, the time is found, and the message', () => {
    const row = { id: 'a', placed: time, shop_name: 'x', msg: 'hi' };
    expect(prepared(row, { rename: [{ from: 'shop_name', to: 'shop' }], timestamp: ['placed'] })).toEqual({
      id: 'a',
      timestamp: time,
      shop: 'x',
      event_message: 'hi',
    });
    expect(prepared({ id: 'a', '@timestamp': time })).toEqual({ id: 'a', timestamp: time });
    expect(prepared({ id: 'a', other: time })).toContain('other: unknown field');
  });

  test('a field has the name that its events have, or its own', () => {
    for (const name of ['log.level', 'log_level'])
      expect(prepared({ id: 'a', timestamp: time, [name]: 'warn' })).toMatchObject({ [name]: 'warn' });
  });

  test('times without an offset are those of the zone', () => {
    const at = (timestamp: string, zone: string) => prepared({ id: 'a', timestamp }, {}, { zone }).timestamp;
    expect(at('2024-07-01 12:00:00', 'Europe/Berlin')).toBe('2024-07-01T10:00:00Z');
    expect(at('2024-12-01 12:00:00.5', 'Europe/Berlin')).toBe('2024-12-01T11:00:00.500000Z');
    expect(at('2024-12-01 12:00:00', '-03:30')).toBe('2024-12-01T15:30:00Z');
    expect(at(time, 'Europe/Berlin')).toBe(time);
    // The hour that clocks show twice, and the one that they skip.
    expect(at('2024-10-27 02:30:00', 'Europe/Berlin')).toBe('2024-10-27T00:30:00Z');
    expect(at('2024-03-31 02:30:00', 'Europe/Berlin')).toBe('2024-03-31T01:30:00Z');
  });
});

describe('rows without an id', () => {
  const idOf = (ids: MadeIds, number: number, text: string) => {
    const row = JSON.parse(text);
    ids.begin(text);
    new RowPreparation(source(), ids).prepare(row, number, text);
    return row.id;
  };
  const first = `{"timestamp":"${time}"}`;

  test('get the same one whenever their file is read', () => {
    expect(idOf(new MadeIds('s'), 1, first)).toBe(idOf(new MadeIds('s'), 1, first));
    expect(idOf(new MadeIds('s'), 1, first)).toMatch(
      /^[\da-f]{8}-[\da-f]{4}-8[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/,
    );
  });

  test('get others in another place, in another source and in a file with another beginning', () => {
    const others = new MadeIds('s');
    others.begin('{}');
    const all = [
      idOf(new MadeIds('s'), 1, first),
      idOf(new MadeIds('s'), 2, first),
      idOf(new MadeIds('t'), 1, first),
      idOf(others, 1, first),
    ];
    expect(new Set(all).size).toBe(all.length);
  });

  test('are refused where ids are required', () => {
    expect(prepared({ timestamp: time })).toBe('id: missing, but REQUIRED');
  });
});

test('times finer than a microsecond are noticed', () => {
  const parser = new RowParser(source());
  const add = (timestamp: string) => parser.add({ number: 1, text: JSON.stringify({ id: 'a', timestamp }) });
  add('2024-05-01T10:00:00.123456000Z');
  expect(parser.hasFinerTimes).toBe(false);
  add('2024-05-01T10:00:00.123456789Z');
  expect(parser.hasFinerTimes).toBe(true);
});
