import { GraphQLError, GraphQLScalarType, Kind, type ValueNode } from 'graphql';
import { JsonNumber } from '../../../base/text/json-number.ts';
import { datetimeTextOfMicros } from '../../../sql/values/value-text.ts';
import type { ScalarName } from '../shape/shape.ts';

/** The scalars that are not built into GraphQL. */
export type CustomScalarName = Exclude<ScalarName, 'Boolean' | 'Int' | 'Float' | 'String'>;

interface ScalarText {
  readonly description: string;
  readonly specifiedByURL?: string;
  /** The form in a response, if it differs from the `Value` of its type. */
  readonly output?: (value: unknown) => unknown;
}

const texts: Readonly<Record<CustomScalarName, ScalarText>> = {
  Int64: {
    description:
      'A 64-bit integer, as a string of decimal digits: a JSON number would lose digits beyond 2^53.',
    output: String,
  },
  Numeric: { description: 'A decimal number with up to 38 digits, 9 of them after the point, as a string.' },
  BigNumeric: {
    description: 'A decimal number with up to 76 digits, 38 of them after the point, as a string.',
  },
  Bytes: {
    description: 'Bytes, as a base64 string.',
    specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc4648',
  },
  LocalDate: {
    description: 'A calendar date, as `YYYY-MM-DD`.',
    specifiedByURL: 'https://scalars.graphql.org/andimarek/local-date.html',
  },
  LocalDateTime: {
    description: 'A date and time without a time zone, as `YYYY-MM-DDTHH:MM:SS[.ffffff]`.',
    specifiedByURL: 'https://ijmacd.github.io/rfc3339-iso8601/',
  },
  LocalTime: {
    description: 'A time of day, as `HH:MM:SS[.ffffff]`.',
    specifiedByURL: 'https://ijmacd.github.io/rfc3339-iso8601/',
  },
  DateTime: {
    description: 'An instant with microseconds, as `YYYY-MM-DDTHH:MM:SS[.ffffff]Z`: RFC 3339 in UTC.',
    specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc3339',
    output: (value) => (typeof value === 'bigint' ? `${datetimeTextOfMicros(value)}Z` : value),
  },
  Interval: { description: 'A duration, as `Y-M D H:M:S[.f]`.' },
  JSON: {
    description: 'Any JSON value.',
    specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc8259',
  },
  Geography: { description: 'A geography, as well-known text.' },
};

export const customScalarNames = Object.keys(texts) as CustomScalarName[];

/** The scalar with this name. Input becomes the text that the endpoint's parameter is parsed from. */
export function customScalar(name: CustomScalarName): GraphQLScalarType {
  const { output = (value) => value, ...described } = texts[name];
  return new GraphQLScalarType({
    name,
    ...described,
    serialize: output,
    parseValue: (value) => (name === 'JSON' ? jsonText(value) : scalarText(name, value)),
    parseLiteral: (node) =>
      name === 'JSON' ? JSON.stringify(jsonLiteral(node)) : scalarText(name, literalText(name, node)),
  });
}

/** The text of a variable's value. */
function jsonText(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) => {
    if (typeof part === 'number') refuseLostDigits('JSON', part);
    return part;
  });
}

function refuseLostDigits(name: string, value: number): void {
  if (!Number.isInteger(value) || Number.isSafeInteger(value)) return;
  throw new GraphQLError(`${name}: the number ${value} has lost digits: write it ${remedy(name)}`);
}

function remedy(name: string): string {
  return name === 'JSON' ? 'in the operation instead of a variable' : 'as a string';
}

function scalarText(name: string, value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'bigint' || (typeof value === 'number' && Number.isFinite(value))) {
    if (typeof value === 'number') refuseLostDigits(name, value);
    return String(value);
  }
  throw new GraphQLError(`${name}: expected a string${name === 'Int64' ? ' of digits or an integer' : ''}`);
}

/** Numbers keep their digits as written. */
function literalText(name: string, node: ValueNode): string {
  if (node.kind === Kind.STRING || node.kind === Kind.INT || node.kind === Kind.FLOAT) return node.value;
  throw new GraphQLError(`${name}: expected a string`, { nodes: [node] });
}

function jsonLiteral(node: ValueNode): unknown {
  switch (node.kind) {
    case Kind.STRING:
    case Kind.BOOLEAN:
      return node.value;
    case Kind.INT:
    case Kind.FLOAT:
      return new JsonNumber(node.value);
    case Kind.LIST:
      return node.values.map(jsonLiteral);
    case Kind.OBJECT:
      return Object.fromEntries(node.fields.map((field) => [field.name.value, jsonLiteral(field.value)]));
    case Kind.NULL:
      return null;
    default:
      throw new GraphQLError('JSON: variables and enum values are not allowed in it', { nodes: [node] });
  }
}
