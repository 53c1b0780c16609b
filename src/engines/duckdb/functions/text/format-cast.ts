import { unsupported } from '../../../../sql/resolved/unsupported.ts';
import { formatType, type SqlType } from '../../../../sql/values/type.ts';
import type { Expression } from '../../dialect/expression.ts';
import { literalSql } from '../../dialect/literal.ts';
import type { TimeKind } from '../../udf/time/allowed-elements.ts';
import { castFromText, castToText } from '../../udf/time/time-functions.ts';
import { castBytes } from './bytes-format.ts';

/** A cast with a format. */
interface FormatCast {
  readonly value: Expression;
  readonly type: SqlType;
  readonly format: Expression;
  readonly zone: Expression | undefined;
  readonly safe: boolean;
  /** The current time in microseconds since the epoch, from which the parts missing in a format are taken. */
  readonly now: bigint;
}

const timeKinds = new Set(['TIMESTAMP', 'DATETIME', 'DATE', 'TIME']);

/** `CAST(value AS type FORMAT format AT TIME ZONE zone)` between texts and dates or times. Others are refused. */
export function castWithFormat({ value, type, format, zone, safe, now }: FormatCast): string {
  const where = zone?.sql ?? "'UTC'";
  if (timeKinds.has(value.type.kind) && type.kind === 'STRING') {
    const kind = value.type.kind as TimeKind;
    return castToText.call([microsOf(value.sql, kind), `'${kind}'`, format.sql, where], safe);
  }
  if (value.type.kind === 'STRING' && timeKinds.has(type.kind)) {
    const kind = type.kind as TimeKind;
    const present = literalSql({ kind: 'INT64' }, now);
    const micros = castFromText.call([value.sql, `'${kind}'`, format.sql, where, present], safe);
    return timeOf(`make_timestamp(${micros})`, kind);
  }
  const kinds = [value.type.kind, type.kind];
  if (kinds.includes('BYTES') && kinds.includes('STRING')) return castBytes(value, format, safe);
  throw unsupported(`FORMAT in a CAST from ${formatType(value.type)} to ${formatType(type)}`);
}

function microsOf(value: string, kind: TimeKind): string {
  if (kind === 'TIME') return `epoch_us(DATE '1970-01-01' + ${value})`;
  return kind === 'DATE' ? `epoch_us(CAST(${value} AS TIMESTAMP))` : `epoch_us(${value})`;
}

function timeOf(civil: string, kind: TimeKind): string {
  return kind === 'DATE' || kind === 'TIME' ? `CAST(${civil} AS ${kind})` : civil;
}
