import { unsupported } from '../../../../sql/resolved/unsupported.ts';
import type { SqlType } from '../../../../sql/values/type.ts';
import { duckType } from '../../dialect/duck-type.ts';
import { literalSql, stringLiteral } from '../../dialect/literal.ts';
import { raise } from '../../macros/macro.ts';
import { bignumericFunctions, numericFunctions } from '../../udf/decimals/decimal-functions.ts';

/** The limits of a type with parameters: `STRING(10)`, `NUMERIC(5, 2)`. */
export type TypeParameters =
  | { readonly maxLength: bigint }
  | { readonly precision: bigint; readonly scale: bigint };

/** Checks a value against the type's parameters, after rounding decimals to their scale. */
export function constrain(value: string, type: SqlType, parameters: TypeParameters): string {
  switch (type.kind) {
    case 'STRING':
    case 'BYTES':
      if ('maxLength' in parameters) return ofLength(value, type.kind, parameters.maxLength);
      break;
    case 'NUMERIC':
    case 'BIGNUMERIC':
      if ('precision' in parameters) return ofPrecision(value, type.kind, parameters);
  }
  throw unsupported(`a parameter of the type ${type.kind}`);
}

function ofLength(value: string, name: 'STRING' | 'BYTES', max: bigint): string {
  const length = name === 'BYTES' ? `octet_length(${value})` : `length(${value})`;
  const message = stringLiteral(`${name}(${max}) has maximum length ${max} but got a value with length `);
  const failure = raise(`${message} || ${length}`, name === 'BYTES' ? 'BLOB' : 'VARCHAR');
  return `CASE WHEN ${length} > ${max} THEN ${failure} ELSE ${value} END`;
}

function ofPrecision(
  value: string,
  name: 'NUMERIC' | 'BIGNUMERIC',
  { precision, scale }: { readonly precision: bigint; readonly scale: bigint },
): string {
  const { round } = name === 'NUMERIC' ? numericFunctions : bignumericFunctions;
  const rounded = round.call([value, `${scale}::BIGINT`]);
  const digits = '9'.repeat(Number(precision));
  const whole = digits.slice(Number(scale));
  const limit = `${whole || '0'}${scale > 0n ? `.${digits.slice(0, Number(scale))}` : ''}`;
  const type: SqlType = { kind: name };
  const failure = raise(
    stringLiteral(
      `${name}(${precision}, ${scale}) has precision ${precision} and scale ${scale} but got a value that is not in range of [-${limit}, ${limit}]`,
    ),
    duckType(type),
  );
  const range = `${literalSql(type, `-${limit}`)} AND ${literalSql(type, limit)}`;
  return `CASE WHEN ${rounded} NOT BETWEEN ${range} THEN ${failure} ELSE ${rounded} END`;
}
