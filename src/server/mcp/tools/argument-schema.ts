import type { EndpointParameter } from '../../../definitions/endpoints/parameters/endpoint-parameter.ts';
import { typeOfTexts } from '../../../definitions/endpoints/parameters/parameter-type.ts';
import {
  parameterExample,
  parameterSchema,
  parameterText,
} from '../../discovery/openapi/parameter-schema.ts';
import type { JsonSchema } from '../../discovery/openapi/value-schema.ts';
import { parseJsonExactly } from '../../graphql/execution/exact-json.ts';

/** The schema of a parameter as an argument of a tool. */
export function argumentSchema(parameter: EndpointParameter): JsonSchema {
  const schema = {
    ...parameterSchema(parameter),
    description: parameterText(parameter),
    ...(parameter.example !== undefined && { examples: [parameterExample(parameter)] }),
  };
  return mayLoseDigits(parameter) ? withTexts(schema) : schema;
}

/** Whether it can be a whole number that JSON numbers can't have exactly. */
function mayLoseDigits({ type, values, min, max }: EndpointParameter): boolean {
  if (typeOfTexts(type).kind !== 'INT64') return false;
  const isExact = (text: string | undefined) => text !== undefined && Number.isSafeInteger(Number(text));
  return values === undefined ? !isExact(min) || !isExact(max) : !values.every(isExact);
}

const bounds: readonly string[] = ['minimum', 'maximum'];

/** The schema of whole numbers that may be texts, too. Constants that readers would round are texts. */
function withTexts(schema: JsonSchema): JsonSchema {
  const text = JSON.stringify(schema, (key, value: unknown) => {
    if (key === 'type' && value === 'integer') return ['integer', 'string'];
    const digits = digitsOf(value);
    const isRounded = digits !== undefined && !Number.isSafeInteger(Number(digits));
    return isRounded && !bounds.includes(key) ? digits : value;
  });
  return parseJsonExactly(text) as JsonSchema;
}

function digitsOf(value: unknown): string | undefined {
  const isRaw = typeof value === 'object' && value !== null && 'rawJSON' in value;
  return isRaw ? String(value.rawJSON) : undefined;
}
