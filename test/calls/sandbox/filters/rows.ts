import fc from 'fast-check';

/** A column of the rows that filters are tried on. */
export interface TriedColumn {
  readonly name: string;
  readonly type: string;
  readonly mode?: 'REPEATED';
  readonly fields?: readonly TriedColumn[];
}

const item: readonly TriedColumn[] = [
  { name: 'k', type: 'STRING' },
  { name: 'v', type: 'INTEGER' },
  { name: 'subs', type: 'RECORD', mode: 'REPEATED', fields: [{ name: 'x', type: 'STRING' }] },
];

/** A column of each type that filters have values of, and records and lists of them. `id` and `timestamp` come before. */
export const columns: readonly TriedColumn[] = [
  { name: 'text', type: 'STRING' },
  { name: 'i', type: 'INTEGER' },
  { name: 'f', type: 'FLOAT' },
  { name: 'n', type: 'NUMERIC' },
  { name: 'big', type: 'BIGNUMERIC' },
  { name: 'flag', type: 'BOOLEAN' },
  { name: 'b', type: 'BYTES' },
  { name: 'd', type: 'DATE' },
  { name: 'dt', type: 'DATETIME' },
  { name: 't', type: 'TIME' },
  { name: 'ts', type: 'TIMESTAMP' },
  { name: 'j', type: 'JSON' },
  { name: 'tags', type: 'STRING', mode: 'REPEATED' },
  { name: 'e1', type: 'INTEGER', mode: 'REPEATED' },
  { name: 'rec', type: 'RECORD', fields: item.slice(0, 2) },
  { name: 'items', type: 'RECORD', mode: 'REPEATED', fields: item },
];

/** Values of each type, few enough that filters find some. Texts of times are in an order that is theirs. */
export const valuesOf: Readonly<Record<string, readonly (string | number | boolean)[]>> = {
  STRING: ['', 'a', 'A', 'ab', 'b\na', 'é', '\uffff', '𝄞', `"\\'`, '%', "') OR TRUE --"],
  INTEGER: [-5, 0, 1, 7, '9007199254740993'],
  FLOAT: [-1.5, 0, 0.1, 2, 1e21],
  NUMERIC: ['-1.5', '0', '0.1', '20.000000001'],
  BIGNUMERIC: ['-1.5', '0', '1.00000000000000000000000000000000000001'],
  BOOLEAN: [true, false],
  BYTES: ['', 'AA==', '/w=='],
  DATE: ['1969-12-31', '2025-01-31', '2025-02-01'],
  DATETIME: ['2025-01-31T00:00:00', '2025-01-31T00:00:00.250000'],
  TIME: ['00:00:00', '23:59:59.999999'],
  TIMESTAMP: ['2025-01-31T00:00:00.000000Z', '2025-01-31T00:00:00.250000Z'],
  JSON: ['{}', '1'],
};

/** A row as it is stored. */
export type TriedRow = Readonly<Record<string, unknown>>;

function rowOf(fields: readonly TriedColumn[]): fc.Arbitrary<TriedRow> {
  return fc.record(
    Object.fromEntries(
      fields.map(({ name, type, mode, fields: inner }) => {
        const value = inner === undefined ? fc.constantFrom(...(valuesOf[type] ?? [])) : rowOf(inner);
        const list = fc.array(value as fc.Arbitrary<unknown>, { maxLength: 3 });
        return [name, mode === 'REPEATED' ? list : fc.option(value as fc.Arbitrary<unknown>, { freq: 4 })];
      }),
    ),
  );
}

/** Rows, the same each time. */
export function someRows(count: number): readonly TriedRow[] {
  return fc.sample(rowOf(columns), { numRuns: count, seed: 45 }).map((row, index) => ({
    id: String(index).padStart(4, '0'),
    timestamp: `2025-03-01T00:00:${String(index % 60).padStart(2, '0')}Z`,
    ...row,
  }));
}
