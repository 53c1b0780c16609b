import { z } from 'zod';
import { scalarTypeName } from '../../../../definitions/sources/table-field.ts';
import type { SqlType } from '../../../../sql/values/type.ts';
import type { Value } from '../../../../sql/values/value.ts';
import { GoogleError } from './google-error.ts';
import { readScalar } from './scalar-text.ts';

interface WireType {
  type?: string | undefined;
  arrayType?: WireType | undefined;
  structTypes?: { name?: string | undefined; type?: WireType | undefined }[] | undefined;
}

interface WireValue {
  value?: string | null | undefined;
  arrayValues?: WireValue[] | undefined;
  structValues?: Record<string, WireValue> | undefined;
}

const wireType: z.ZodType<WireType> = z.object({
  type: z.string().optional(),
  get arrayType() {
    return wireType.optional();
  },
  get structTypes() {
    return z.array(z.object({ name: z.string().optional(), type: wireType.optional() })).optional();
  },
});

const wireValue: z.ZodType<WireValue, unknown> = z.object({
  value: z.union([z.string(), z.number(), z.boolean()]).transform(String).nullish(),
  get arrayValues() {
    return z.array(wireValue).optional();
  },
  get structValues() {
    return z.record(z.string(), wireValue).optional();
  },
});

/** A `QueryParameter` after checking its form. */
export const wireParameter = z.object({
  name: z.string().optional(),
  parameterType: wireType.nullish(),
  parameterValue: wireValue.nullish(),
});

interface TypedValue {
  readonly type: SqlType;
  readonly value: Value;
}

/**
 * The named parameters of a query, with names in lower case because GoogleSQL ignores letter case.
 *
 * @throws GoogleError for a parameter without a name, a type or a matching value
 */
export function readParameters(
  parameters: readonly z.infer<typeof wireParameter>[],
  mode: string | undefined,
): ReadonlyMap<string, TypedValue> {
  const values = new Map<string, TypedValue>();
  if (parameters.length === 0) return values;
  if (mode?.toUpperCase() === 'POSITIONAL') {
    throw new GoogleError({ reason: 'notImplemented', message: 'This server has no positional parameters' });
  }
  if (mode?.toUpperCase() !== 'NAMED') {
    throw GoogleError.invalid('Query parameters need a parameterMode, NAMED or POSITIONAL', 'parameterMode');
  }
  for (const { name, parameterType, parameterValue } of parameters) {
    if (name === undefined || name === '') throw GoogleError.invalid('Named query parameters need a name');
    if (values.has(name.toLowerCase())) throw GoogleError.invalid(`Duplicate parameter name: ${name}`);
    const type = readType(name, parameterType ?? {});
    values.set(name.toLowerCase(), { type, value: readValue(name, type, parameterValue ?? {}) });
  }
  return values;
}

function readType(name: string, { type, arrayType, structTypes }: WireType): SqlType {
  const kind = type?.toUpperCase() ?? '';
  if (kind === 'ARRAY' && arrayType !== undefined) {
    const element = readType(name, arrayType);
    if (element.kind === 'ARRAY') throw GoogleError.invalid(`Query parameter ${name}: an array of arrays`);
    return { kind, element };
  }
  if (kind === 'STRUCT' && structTypes !== undefined) {
    const fields = structTypes.map((field) => ({
      name: field.name ?? '',
      type: readType(name, field.type ?? {}),
    }));
    return { kind, fields };
  }
  const scalar = scalarTypeName(kind);
  if (scalar !== undefined && arrayType === undefined && structTypes === undefined) return { kind: scalar };
  throw GoogleError.invalid(
    kind === ''
      ? `Query parameter '${name}' has no type`
      : `Invalid type of query parameter '${name}': ${type}`,
    name,
  );
}

function readValue(name: string, type: SqlType, wire: WireValue): Value {
  const { value, arrayValues, structValues } = wire;
  const misplaced = () =>
    GoogleError.invalid(`The value of query parameter '${name}' does not fit its type`, name);
  if (type.kind === 'ARRAY') {
    if (value != null || structValues !== undefined) throw misplaced();
    // A list in a protocol buffer can't be absent, so an array can't be NULL.
    return (arrayValues ?? []).map((element) => readValue(name, type.element, element));
  }
  if (arrayValues !== undefined && arrayValues.length > 0) throw misplaced();
  if (type.kind === 'STRUCT') {
    if (value != null) throw misplaced();
    if (structValues === undefined) return null;
    const given = new Set(Object.keys(structValues));
    const fields = type.fields.map((field) => {
      given.delete(field.name);
      return readValue(name, field.type, structValues[field.name] ?? {});
    });
    if (given.size > 0) throw misplaced();
    return fields;
  }
  if (structValues !== undefined) throw misplaced();
  if (value == null) return null;
  const read = readScalar(type.kind, value);
  if (read !== undefined) return read;
  const message = `Unparseable query parameter \`${name}\` in type \`TYPE_${type.kind}\`, Invalid ${type.kind.toLowerCase()}: '${value}' value: '${value}'`;
  throw new GoogleError({ reason: 'invalidQuery', message, location: 'q' });
}
