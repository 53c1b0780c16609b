import { columns, type TriedColumn, type TriedRow } from './rows.ts';

/** A filter as a caller writes it. */
export type Written = Readonly<Record<string, unknown>>;

/** SQL's logic: null is unknown. */
type Truth = boolean | null;

const all = [
  { name: 'id', type: 'STRING' },
  { name: 'timestamp', type: 'TIMESTAMP' },
  ...columns,
] as const satisfies readonly TriedColumn[];

/** Whether a row passes a filter, as the documents say it. */
export function passes(row: TriedRow, filter: Written): boolean {
  return ofRecord(row, filter, all) === true;
}

function ofRecord(record: TriedRow, filter: Written, fields: readonly TriedColumn[]): Truth {
  return every(
    Object.entries(filter).map(([name, value]) => {
      if (name === 'and') return every((value as Written[]).map((each) => ofRecord(record, each, fields)));
      if (name === 'or') return some((value as Written[]).map((each) => ofRecord(record, each, fields)));
      if (name === 'not') return negated(ofRecord(record, value as Written, fields));
      const field = fields.find((each) => each.name === name);
      if (field === undefined) throw new Error(`no field ${name}`);
      const one = (each: unknown) => ofValue(each, value as Written, field);
      const given = record[name] ?? null;
      // SQL's EXISTS is never unknown.
      return field.mode === 'REPEATED' ? (given as unknown[]).some((each) => one(each) === true) : one(given);
    }),
  );
}

function ofValue(value: unknown, filter: Written, { type, fields }: TriedColumn): Truth {
  if (fields !== undefined) return ofRecord((value ?? {}) as TriedRow, filter, fields);
  return every(Object.entries(filter).map(([operator, operand]) => tested(value, operator, operand, type)));
}

function tested(value: unknown, operator: string, operand: unknown, type: string): Truth {
  if (operator === 'isNull') return (value === null) === operand;
  if (operator === 'in') {
    const found = (operand as unknown[]).map((each) => tested(value, 'eq', each, type));
    return some(found);
  }
  if (value === null) return null;
  if (operator === 'contains') return String(value).includes(String(operand));
  if (operator === 'regex') return new RegExp(String(operand), 'u').test(String(value));
  const order = compare(value, operand, type);
  switch (operator) {
    case 'eq':
      return order === 0;
    case 'ne':
      return order !== 0;
    case 'lt':
      return order < 0;
    case 'lte':
      return order <= 0;
    case 'gt':
      return order > 0;
    case 'gte':
      return order >= 0;
    default:
      throw new Error(`no operator ${operator}`);
  }
}

/** The order of two values: below 0, 0, or above. */
export function compare(a: unknown, b: unknown, type: string): number {
  if (type === 'STRING') return Buffer.compare(Buffer.from(String(a)), Buffer.from(String(b)));
  if (type === 'INTEGER') return Number(BigInt(String(a)) - BigInt(String(b)));
  if (['FLOAT', 'NUMERIC'].includes(type)) return Number(a) - Number(b);
  if (type === 'BYTES')
    return Buffer.compare(Buffer.from(String(a), 'base64'), Buffer.from(String(b), 'base64'));
  if (type === 'BIGNUMERIC') return Number(scaled(String(a)) - scaled(String(b)));
  return String(a) === String(b) ? 0 : String(a) < String(b) ? -1 : 1;
}

function scaled(text: string): bigint {
  const [whole = '0', fraction = ''] = text.split('.');
  return BigInt(`${whole}${fraction.padEnd(38, '0')}`);
}

function every(truths: readonly Truth[]): Truth {
  if (truths.includes(false)) return false;
  return truths.includes(null) ? null : true;
}

function some(truths: readonly Truth[]): Truth {
  if (truths.includes(true)) return true;
  return truths.includes(null) ? null : false;
}

function negated(truth: Truth): Truth {
  return truth === null ? null : !truth;
}
