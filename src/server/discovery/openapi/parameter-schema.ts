import { JsonNumber } from '../../../base/text/json-number.ts';
import { describeRules } from '../../../definitions/endpoints/parameters/describe-parameter.ts';
import type { EndpointParameter } from '../../../definitions/endpoints/parameters/endpoint-parameter.ts';
import { maxItemsOf, typeOfTexts } from '../../../definitions/endpoints/parameters/endpoint-parameter.ts';
import { formatType, type ScalarType } from '../../../sql/values/type.ts';
import type { JsonSchema } from './json-schema.ts';

/** The schema of a parameter in a query string or a JSON body, with its default. */
export function parameterSchema(parameter: EndpointParameter): JsonSchema {
  const scalar = typeOfTexts(parameter.type);
  const { values, min, max, maxLength } = parameter;
  const element = {
    ...scalarSchemas[scalar.kind],
    ...(values !== undefined && { enum: values.map((text) => typedValue(scalar, text)) }),
    ...(isNumber(scalar) && min !== undefined && { minimum: typedValue(scalar, min) }),
    ...(isNumber(scalar) && max !== undefined && { maximum: typedValue(scalar, max) }),
    ...(scalar.kind === 'STRING' && maxLength !== undefined && { maxLength }),
  };
  const schema: JsonSchema =
    parameter.type.kind === 'ARRAY'
      ? { type: 'array', items: element, maxItems: maxItemsOf(parameter) }
      : element;
  return parameter.default === undefined
    ? schema
    : { ...schema, default: typedValues(parameter, parameter.default) };
}

/** A parameter's description, type and rules, for people. */
export function parameterText(parameter: EndpointParameter): string {
  const { description = '', type } = parameter;
  const rules = [formatType(type), ...describeRules(parameter)].join(', ');
  return description === '' ? `${rules}.` : `${description}\n\n${rules}.`;
}

/** A value for the parameter as its schema has it: its example, or one that its rules allow. */
export function parameterExample(parameter: EndpointParameter): unknown {
  const { example, default: used, values, min, max, type } = parameter;
  const scalar = typeOfTexts(type);
  const text = values?.[0] ?? min ?? max ?? placeholders[scalar.kind] ?? '';
  return typedValues(parameter, example ?? used ?? (type.kind === 'ARRAY' ? [text] : text));
}

function typedValues({ type }: EndpointParameter, given: string | readonly string[]): unknown {
  const scalar = typeOfTexts(type);
  return typeof given === 'string'
    ? typedValue(scalar, given)
    : given.map((text) => typedValue(scalar, text));
}

/** The JSON value that a text stands for. Integers keep all their digits. */
function typedValue({ kind }: ScalarType, text: string): unknown {
  if (kind === 'BOOL') return text.toLowerCase() === 'true';
  if (kind === 'INT64' && /^[-+]?\d+$/.test(text))
    return new JsonNumber(String(BigInt(text.replace('+', ''))));
  if (kind === 'FLOAT64' && Number.isFinite(Number(text))) return Number(text);
  return text;
}

function isNumber({ kind }: ScalarType): boolean {
  return kind === 'INT64' || kind === 'FLOAT64';
}

const scalarSchemas: Readonly<Record<ScalarType['kind'], JsonSchema>> = {
  BOOL: { type: 'boolean' },
  INT64: { type: 'integer', format: 'int64' },
  FLOAT64: { type: 'number', format: 'double' },
  NUMERIC: { type: 'string', format: 'decimal' },
  BIGNUMERIC: { type: 'string', format: 'decimal' },
  STRING: { type: 'string' },
  BYTES: { type: 'string', contentEncoding: 'base64' },
  DATE: { type: 'string', format: 'date' },
  DATETIME: { type: 'string' },
  TIME: { type: 'string' },
  TIMESTAMP: { type: 'string', format: 'date-time' },
  INTERVAL: { type: 'string' },
  JSON: { type: 'string', contentMediaType: 'application/json' },
  GEOGRAPHY: { type: 'string' },
};

/** Values of parameters that have neither an example nor rules. */
const placeholders: Readonly<Partial<Record<ScalarType['kind'], string>>> = {
  BOOL: 'false',
  INT64: '1',
  FLOAT64: '1',
  NUMERIC: '1',
  BIGNUMERIC: '1',
  STRING: 'text',
  BYTES: 'AA==',
  DATE: '2025-01-31',
  DATETIME: '2025-01-31T00:00:00',
  TIME: '00:00:00',
  TIMESTAMP: '2025-01-31T00:00:00Z',
  JSON: '[]',
};
