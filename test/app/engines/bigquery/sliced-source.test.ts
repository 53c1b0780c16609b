import { expect, test } from 'vitest';
import { slicedSource } from '../../../../src/app/engines/bigquery/sliced-source.ts';
import { plainSettings, type Source, type SourceColumn } from '../../../../src/definitions/sources/source.ts';

const column = (name: string, kind: 'TIMESTAMP' | 'DATE'): SourceColumn => ({
  ...{ name, type: { kind }, mode: 'REQUIRED', fields: [] },
});
const source = (more: Partial<Source> = {}): Source => ({
  ...plainSettings,
  ...{ name: 'events', file: 'events.json', columns: [column('timestamp', 'TIMESTAMP')], ...more },
});

test('is a source whose rows have a TIMESTAMP, with its settings', () => {
  expect(slicedSource(source())).toEqual({
    column: 'timestamp',
    lateSeconds: 86_400,
    sliceSeconds: 2_592_000,
  });
  const settings = { lateSeconds: 0, sliceSeconds: 60, retentionDays: 9 };
  const columns = [column('at', 'TIMESTAMP'), column('timestamp', 'TIMESTAMP')];
  expect(slicedSource(source({ ...settings, columns, timestamp: ['at'] }))).toEqual({
    column: 'at',
    ...settings,
  });
});

test('is none of another kind', () => {
  const others = [
    { wildcard: 'DAY' },
    { partitioned: 'DAY' },
    { timestamp: null },
    { columns: [column('timestamp', 'DATE')] },
  ] as const;
  for (const other of others) expect(slicedSource(source(other))).toBeUndefined();
  expect(slicedSource(undefined)).toBeUndefined();
});
