import { columnNames, structFieldNames } from '../../../sql/values/column-names.ts';
import type { Column, SqlType } from '../../../sql/values/type.ts';

/** A JSON Schema (draft 2020-12), as OpenAPI 3.1 uses it. */
export interface JsonSchema {
  readonly [keyword: string]: unknown;
}

/** Whether TIMESTAMPs and JSON columns have the form of `plainStyle`, or any that a request can ask for. */
type ValueForms = 'plain form' | 'any form';

/** The JSON object of a row on REST: a key for each column. */
export function rowSchema(
  columns: readonly Column[],
  forms: ValueForms,
  descriptionOf: (column: Column) => string | undefined = () => undefined,
): JsonSchema {
  const names = columnNames(columns);
  const schemas = columns.map((column) => {
    const description = descriptionOf(column);
    return { ...valueSchema(column.type, forms), ...(description && { description }) };
  });
  return objectSchema('object', names, schemas);
}

const micros = 'Microseconds since 1970-01-01 00:00:00 UTC';

/** The JSON of a value on REST, which is NULL or has the type. */
function valueSchema(type: SqlType, forms: ValueForms): JsonSchema {
  switch (type.kind) {
    case 'BOOL':
      return { type: ['boolean', 'null'] };
    case 'INT64':
      return { type: ['integer', 'null'], format: 'int64' };
    case 'TIMESTAMP':
      return forms === 'plain form'
        ? { type: ['integer', 'null'], format: 'int64', description: `${micros}.` }
        : {
            type: ['integer', 'string', 'null'],
            description: `${micros}. With \`timestamps=iso\`, an RFC 3339 text in UTC.`,
          };
    case 'FLOAT64':
      return {
        type: ['number', 'null'],
        format: 'double',
        description: 'NaN and the infinities are null, too.',
      };
    case 'DATE':
      return { type: ['string', 'null'], format: 'date' };
    case 'NUMERIC':
    case 'BIGNUMERIC':
      return { type: ['string', 'null'], format: 'decimal' };
    case 'BYTES':
      return { type: ['string', 'null'], contentEncoding: 'base64' };
    case 'JSON':
      return forms === 'plain form'
        ? { type: ['string', 'null'], contentMediaType: 'application/json' }
        : { description: 'A text that contains JSON. With `json=inline`, the JSON itself.' };
    case 'DATETIME':
      return {
        type: ['string', 'null'],
        description: '`YYYY-MM-DDTHH:MM:SS[.ffffff]`, without a time zone.',
      };
    case 'TIME':
      return { type: ['string', 'null'], description: '`HH:MM:SS[.ffffff]`' };
    case 'INTERVAL':
      return { type: ['string', 'null'], description: '`Y-M D H:M:S[.f]`' };
    case 'STRING':
    case 'GEOGRAPHY':
      return { type: ['string', 'null'] };
    case 'ARRAY':
      return { type: 'array', items: valueSchema(type.element, forms) };
    case 'STRUCT':
      return objectSchema(
        ['object', 'null'],
        structFieldNames(type.fields),
        type.fields.map((field) => valueSchema(field.type, forms)),
      );
  }
}

/** Names of a record's fields may repeat: only the last one's value is left after parsing. */
function objectSchema(
  type: string | readonly string[],
  names: readonly string[],
  schemas: readonly JsonSchema[],
): JsonSchema {
  return {
    type,
    properties: Object.fromEntries(names.map((name, index) => [name, schemas[index]])),
    required: [...new Set(names)],
  };
}

type Properties = Readonly<Record<string, JsonSchema>>;

/** Properties that are texts. */
export function strings(...names: readonly string[]): Properties {
  return Object.fromEntries(names.map((name) => [name, { type: 'string' }]));
}

/** An object that always has some properties, and may have others. */
export function record(required: Properties, optional: Properties = {}): JsonSchema {
  return { type: 'object', properties: { ...required, ...optional }, required: Object.keys(required) };
}

export function listOf(items: JsonSchema): JsonSchema {
  return { type: 'array', items };
}

/** The same, or null. */
export function orNull(schema: JsonSchema): JsonSchema {
  return { ...schema, type: [schema.type, 'null'].flat() };
}
