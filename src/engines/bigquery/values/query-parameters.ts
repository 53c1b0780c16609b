import type { Plan } from '../../../sql/plan/plan.ts';
import { unsupported } from '../../../sql/resolved/unsupported.ts';
import { formatType, type ScalarType, type SqlType, type StructType } from '../../../sql/values/type.ts';
import type { Value } from '../../../sql/values/value.ts';
import { datetimeTextOfMicros } from '../../../sql/values/value-text.ts';

/** A named parameter of a query, in the forms of BigQuery's REST API (`QueryParameter`). */
export interface QueryParameter {
  readonly name: string;
  readonly parameterType: ParameterType;
  readonly parameterValue: ParameterValue;
}

/** `QueryParameterType`. */
export interface ParameterType {
  readonly type: SqlType['kind'];
  readonly arrayType?: ParameterType;
  readonly structTypes?: readonly { readonly name: string; readonly type: ParameterType }[];
}

/** `QueryParameterValue`. */
export type ParameterValue =
  | { readonly value: string | null }
  | { readonly arrayValues: readonly ParameterValue[] }
  | { readonly structValues: Readonly<Record<string, ParameterValue>> };

/**
 * Encodes the parameters of a run.
 *
 * @param types by declared name
 * @param values one for each of `used`
 * @param used the names of the parameters that the text uses; no others are sent
 * @throws UnsupportedError for a value that can't be sent; TypeError, which is a defect, for a value of another type
 */
export function queryParameters(
  types: Plan['parameters'],
  values: ReadonlyMap<string, Value>,
  used: Iterable<string>,
): QueryParameter[] {
  return Array.from(used, (name) => {
    const type = types.get(name);
    const value = values.get(name);
    if (type === undefined || value === undefined) throw new TypeError(`The parameter ${name} has no value`);
    return { name, parameterType: parameterType(type), parameterValue: parameterValue(type, value) };
  });
}

function parameterType(type: SqlType): ParameterType {
  switch (type.kind) {
    case 'ARRAY':
      return { type: 'ARRAY', arrayType: parameterType(type.element) };
    case 'STRUCT': {
      const structTypes = type.fields.map((field) => ({ name: field.name, type: parameterType(field.type) }));
      return { type: 'STRUCT', structTypes };
    }
    default:
      return { type: type.kind };
  }
}

function parameterValue(type: SqlType, value: Value): ParameterValue {
  switch (type.kind) {
    case 'ARRAY': {
      const elements = listOf(type, value);
      return { arrayValues: elements.map((element) => parameterValue(type.element, element)) };
    }
    case 'STRUCT':
      return { structValues: structValues(type, listOf(type, value)) };
    default:
      return { value: value === null ? null : scalarText(type, value) };
  }
}

/** A NULL ARRAY or STRUCT can't be sent. */
function listOf(type: SqlType, value: Value): readonly Value[] {
  if (value === null) throw unsupported(`NULL for a parameter of type ${formatType(type)}`);
  if (!Array.isArray(value)) throw mismatch(type);
  return value;
}

/** Fields are sent by name, so each needs a unique one. */
function structValues({ fields }: StructType, values: readonly Value[]): Record<string, ParameterValue> {
  const names = new Set(fields.map(({ name }) => name.toLowerCase()));
  if (names.size !== fields.length || names.has('')) {
    throw unsupported('a STRUCT parameter with fields that share a name or have none');
  }
  if (values.length !== fields.length) throw mismatch({ kind: 'STRUCT', fields });
  return Object.fromEntries(
    fields.map(({ name, type }, index) => [name, parameterValue(type, values[index] ?? null)]),
  );
}

/** The value as a text that GoogleSQL casts to the type; BYTES in base64. */
function scalarText(type: ScalarType, value: Value): string {
  switch (type.kind) {
    case 'BOOL':
      if (typeof value === 'boolean') return String(value);
      break;
    case 'INT64':
      if (typeof value === 'bigint') return String(value);
      break;
    case 'FLOAT64':
      if (typeof value === 'number') return Object.is(value, -0) ? '-0' : String(value);
      break;
    case 'TIMESTAMP':
      if (typeof value === 'bigint') return `${datetimeTextOfMicros(value).replace('T', ' ')}+00:00`;
      break;
    default:
      if (typeof value === 'string') return value;
  }
  throw mismatch(type);
}

function mismatch(type: SqlType): TypeError {
  return new TypeError(`A parameter's value has not the form of the type ${formatType(type)}`);
}
