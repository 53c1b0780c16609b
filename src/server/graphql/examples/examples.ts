import { assertName, parse, print } from 'graphql';
import { parseJsonExactly } from '../../../base/text/exact-json.ts';
import { typeName } from '../../../base/text/graphql-names.ts';
import { shellQuote } from '../../../base/text/shell-quote.ts';
import { textsToGive } from '../../../definitions/endpoints/parameters/read-given.ts';
import { identifier } from '../../../sql/text/identifier.ts';
import {
  type ArgumentShape,
  type EndpointShape,
  type ObjectShape,
  type ScalarName,
  type SchemaShape,
  type TypeShape,
  versionPath,
} from '../shape/shape.ts';

/** How much of a row an example selects. */
interface Extent {
  /** Levels of records. */
  readonly depth: number;
  /** Scalar fields of the row itself, and of each record in it. */
  readonly fields: number;
  readonly recordFields: number;
}

const wholeRows: Extent = { depth: 3, fields: 10, recordFields: 4 };
const severalTables: Extent = { depth: 3, fields: 2, recordFields: 2 };

/** Endpoints that get examples, and tables of each. */
const shownEndpoints = 8;
const shownTables = 3;

/**
 * Example operations, ready to run: for each endpoint a call, a query of several of its tables, and an ad-hoc query.
 */
export function operationExamples({ endpoints }: SchemaShape): string[] {
  return endpoints
    .slice(0, shownEndpoints)
    .flatMap((shape) => [exampleCall(shape), exampleTables(shape), exampleQuery(shape)])
    .filter((operation) => operation !== undefined);
}

/** A query that calls the endpoint's field with its required arguments and those that have an example. */
export function exampleCall(shape: EndpointShape): string {
  return operation(shape.field, `${argumentsText(shape)} ${selection(shape.row, wholeRows)}`);
}

/** How a variable of {@link callOperation} gets the value of a parameter. */
export interface OperationVariable {
  readonly parameter: string;
  readonly name: string;
  /** For an enum, the member of each value. */
  readonly members?: Readonly<Record<string, string>>;
}

/** A query that calls the endpoint's field with a variable for each parameter. */
export function callOperation(shape: EndpointShape): {
  readonly query: string;
  readonly variables: readonly OperationVariable[];
} {
  const args = shape.arguments;
  const name = typeName(shape.field);
  // The schema is the same for everybody: what a key pins may be required there.
  const required = new Set(
    [...shape.endpoint.parameters, ...args.map(({ parameter }) => parameter)]
      .filter((parameter) => parameter.required)
      .map((parameter) => parameter.name),
  );
  const typeOf = (argument: ArgumentShape) =>
    `${variableType(argument)}${required.has(argument.parameter.name) ? '!' : ''}`;
  const declared = args.map((argument) => `$${argument.name}: ${typeOf(argument)}`).join(', ');
  const given = args.map((argument) => `${argument.name}: $${argument.name}`).join(', ');
  const inBrackets = (text: string) => (text === '' ? '' : `(${text})`);
  const rows = selection(shape.row, wholeRows);
  return {
    query: print(
      parse(`query ${name}${inBrackets(declared)} { ${shape.field}${inBrackets(given)} ${rows} }`),
    ),
    variables: args.map((argument) => ({
      parameter: argument.parameter.name,
      name: argument.name,
      ...(typeof argument.type !== 'string' && {
        members: Object.fromEntries(argument.type.members.map((member) => [member.value, member.name])),
      }),
    })),
  };
}

/** Without the mark of a required one. */
function variableType({ type, parameter }: ArgumentShape): string {
  const item = typeof type === 'string' ? type : type.name;
  return parameter.type.kind === 'ARRAY' ? `[${item}!]` : item;
}

/** A query that reads several tables of the endpoint. Undefined when it has fewer than two. */
function exampleTables(shape: EndpointShape): string | undefined {
  const { tables: { field, tables } = { field: '', tables: [] } } = shape;
  if (tables.length < 2) return undefined;
  const fields = tables
    .slice(0, shownTables)
    .map((table) => `${table.field}(limit: 5) ${selection(table.row, severalTables)}`);
  return operation(field, `${argumentsText(shape)} { ${fields.join(' ')} }`);
}

/** An ad-hoc query over one of the endpoint's tables. Undefined when it has none. */
function exampleQuery(shape: EndpointShape): string | undefined {
  const [first] = shape.tables?.tables ?? [];
  if (shape.tables === undefined || first === undefined) return undefined;
  const sql = `SELECT COUNT(*) AS row_count FROM ${identifier(first.table.name)}`;
  const own = `sql: ${JSON.stringify(sql)}`;
  const args = argumentsText(shape);
  const given = args === '' ? `(${own})` : `${args.slice(0, -1)}, ${own})`;
  return operation(shape.tables.queryField, `${given} { columns { name type } rows truncated }`);
}

/** Named after its field, because GraphiQL shows the name on the tab. */
function operation(field: string, rest: string): string {
  return print(parse(`query ${typeName(field)} { ${field}${rest} }`));
}

/** The same call on REST, as a shell command. */
export function exampleCurl(shape: EndpointShape, baseUrl: string, key = 'YOUR_KEY'): string {
  const { endpoint, arguments: args } = shape;
  const query = args
    .filter(isShown)
    .flatMap((argument) =>
      textsToGive(argument.parameter, exampleTexts(argument)).map(
        (text) => `${argument.parameter.name}=${encodeURIComponent(text)}`,
      ),
    )
    .join('&');
  const url = `${baseUrl}/api/endpoints/query/${encodeURIComponent(endpoint.name)}${versionPath(shape)}${query === '' ? '' : `?${query}`}`;
  return `curl -H ${shellQuote(`X-API-KEY: ${key}`)} ${shellQuote(url)}`;
}

function isShown({ parameter }: ArgumentShape): boolean {
  return parameter.required || parameter.example !== undefined;
}

function argumentsText({ arguments: args }: EndpointShape): string {
  const shown = args.filter(isShown).map((argument) => `${argument.name}: ${exampleValue(argument)}`);
  return shown.length === 0 ? '' : `(${shown.join(', ')})`;
}

/** Values for required arguments whose parameter has no example. */
const placeholders: Readonly<Partial<Record<ScalarName, string>>> = {
  Boolean: 'false',
  Int64: '1',
  Float: '1',
  Numeric: '1',
  BigNumeric: '1',
  String: 'text',
  Bytes: 'AA==',
  LocalDate: '2025-01-31',
  LocalDateTime: '2025-01-31T00:00:00',
  LocalTime: '00:00:00',
  DateTime: '2025-01-31T00:00:00Z',
  JSON: '[]',
};

/** A text, or the texts of an array's elements. */
function exampleTexts({ parameter, type }: ArgumentShape): string | readonly string[] {
  const { example, default: used, min, max } = parameter;
  const placeholder = typeof type === 'string' ? (min ?? max ?? placeholders[type]) : type.members[0]?.value;
  return example ?? used ?? (parameter.type.kind === 'ARRAY' ? [placeholder ?? ''] : (placeholder ?? ''));
}

function exampleValue(argument: ArgumentShape): string {
  const texts = exampleTexts(argument);
  if (typeof texts === 'string') return valueLiteral(argument, texts);
  return `[${texts.map((text) => valueLiteral(argument, text)).join(', ')}]`;
}

function valueLiteral({ type }: ArgumentShape, text: string): string {
  if (typeof type !== 'string') {
    const member = type.members.find(({ value }) => value === text) ?? type.members[0];
    return member?.name ?? 'null';
  }
  if (type === 'Boolean') return text.toLowerCase() === 'true' ? 'true' : 'false';
  if (type === 'Float') return Number.isFinite(Number(text)) ? String(Number(text)) : '0';
  if (type === 'JSON') return jsonLiteral(text);
  return JSON.stringify(text);
}

/** A JSON text as a GraphQL literal. Falls back to a string when a key is not a GraphQL name. */
function jsonLiteral(text: string): string {
  try {
    return literalOf(parseJsonExactly(text));
  } catch {
    return JSON.stringify(text);
  }
}

/** @throws GraphQLError for a key that is not a GraphQL name */
function literalOf(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(literalOf).join(', ')}]`;
  const text = JSON.stringify(value);
  // A number with many digits is an object, too.
  if (!text.startsWith('{')) return text;
  const fields = Object.entries(value as object).map(
    ([key, part]) => `${assertName(key)}: ${literalOf(part)}`,
  );
  return `{${fields.join(', ')}}`;
}

/** Parts of names of useful fields: records have many fields, of which few are interesting. */
const telling = /message|msg|query|method|path|status|level|severity|event|error|duration|time|count|total/i;

function selection(object: ObjectShape, extent: Extent): string {
  const inner = { ...extent, depth: extent.depth - 1, fields: extent.recordFields };
  const records = object.fields.filter(({ type }) => extent.depth > 1 && recordOf(type) !== undefined);
  const plain = object.fields.filter(({ type }) => recordOf(type) === undefined);
  const best = plain.filter(({ name }) => telling.test(name));
  const others = plain.filter((field) => !best.includes(field));
  const shown = new Set([...best, ...others].slice(0, extent.fields).concat(records));
  const fields = object.fields
    .filter((field) => shown.has(field))
    .map(({ name, type }) => {
      const record = recordOf(type);
      return record === undefined ? name : `${name} ${selection(record, inner)}`;
    });
  return fields.length === 0 ? '{ __typename }' : `{ ${fields.join(' ')} }`;
}

function recordOf(type: TypeShape): ObjectShape | undefined {
  if (type.kind === 'list') return recordOf(type.of);
  return type.kind === 'object' ? type.object : undefined;
}
