import type { Tool } from '@modelcontextprotocol/sdk/types.js';
import { counted } from '../../../base/text/counted.ts';
import { parseJsonExactly } from '../../../base/text/exact-json.ts';
import type { EndpointParameter } from '../../../definitions/endpoints/parameters/endpoint-parameter.ts';
import { typeOfTexts } from '../../../definitions/endpoints/parameters/endpoint-parameter.ts';
import { identifier } from '../../../sql/text/identifier.ts';
import { columnNames, structFieldNames } from '../../../sql/values/column-names.ts';
import { type Column, elementType, formatType, type SqlType } from '../../../sql/values/type.ts';
import { type JsonSchema, rowSchema } from '../../discovery/openapi/json-schema.ts';
import {
  parameterExample,
  parameterSchema,
  parameterText,
} from '../../discovery/openapi/parameter-schema.ts';
import type { EndpointShape } from '../../graphql/shape/shape.ts';
import { type EndpointTool, rowsByDefault } from './endpoint-tool.ts';

const bounds: readonly string[] = ['minimum', 'maximum'];

/** Names that GoogleSQL reads without quotes, unless they are keywords. */
const plainName = /^[a-z]\w*$/;

/** A tool as `tools/list` describes it: its arguments are the endpoint's parameters, its result has the columns. */
export function toolDefinition(tool: EndpointTool): Tool {
  const { name, shape, isAdHoc, parameters } = tool;
  const required = parameters.filter((parameter) => parameter.required).map((parameter) => parameter.name);
  return {
    name,
    title: isAdHoc ? `${shape.endpoint.name}: ad-hoc query` : shape.endpoint.name,
    description: isAdHoc ? adHocDescription(shape) : storedDescription(shape),
    inputSchema: {
      type: 'object',
      properties: Object.fromEntries(
        parameters.map((parameter) => [parameter.name, argumentSchema(parameter)]),
      ),
      required,
      additionalProperties: false,
    },
    outputSchema: isAdHoc ? adHocOutput : storedOutput(shape),
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  };
}

function storedDescription({ endpoint, tables }: EndpointShape): string {
  const { description, name, maxRows } = endpoint;
  const texts = [description || name, `The result has at most ${counted(maxRows, 'row')}.`];
  if (tables !== undefined && tables.tables.length > 0) {
    texts.push(`To filter, count or choose columns, use ${tables.queryField}.`);
  }
  return texts.join('\n\n');
}

/** Longer types of tables would take too much of a model's context with each list of tools. */
const maxTypeCharacters = 10_000;

function adHocDescription({ endpoint, tables }: EndpointShape): string {
  const all = (tables?.tables ?? []).map(({ table }) => ({ name: table.name, columns: table.plan.columns }));
  const whole = tableList(all, formatType);
  const isShort = whole.length <= maxTypeCharacters;
  const nested = all.map(({ name, columns }) => nestedJoin(name, columns)).find((join) => join !== undefined);
  const rows = counted(rowsByDefault(endpoint), 'row');
  return [
    `Runs a query over the tables of ${endpoint.name}: in GoogleSQL, which is BigQuery's dialect (sql), or in LQL (lql). The other arguments select which rows the tables have. Aggregate, filter and LIMIT in the query, because a result shows ${rows} unless max_rows asks for more.`,
    ...(nested === undefined
      ? []
      : [`Nested columns are arrays of records. Join them to read their fields: ${nested}.`]),
    `In LQL, f: names the table: f:${all[0]?.name} t:last@1h.`,
    ...(isShort ? [] : ['The fields of nested columns are in the resources of the tables.']),
    `Tables:\n${isShort ? whole : tableList(all, shortType)}`,
  ].join('\n\n');
}

function tableList(
  tables: readonly { readonly name: string; readonly columns: readonly Column[] }[],
  typeText: (type: SqlType) => string,
): string {
  const texts = tables.map(({ name, columns }) => {
    const names = columnNames(columns);
    return `- ${name} (${columns.map(({ type }, index) => `${names[index]} ${typeText(type)}`).join(', ')})`;
  });
  return texts.join('\n');
}

const text = { type: 'string' };

/** A type without the fields of records. */
function shortType(type: SqlType): string {
  const { kind } = elementType(type);
  const text = kind === 'STRUCT' ? 'STRUCT<...>' : kind;
  return type.kind === 'ARRAY' ? `ARRAY<${text}>` : text;
}

const counts = {
  total_rows: { type: 'integer', description: 'Rows of the whole result, of which `rows` has the first.' },
  truncated: { type: 'boolean', description: 'Whether the query has more rows than `rows`.' },
};

const nextCursor = { type: 'string', description: 'The cursor of the next page, if there is one.' };

function output(properties: Readonly<Record<string, JsonSchema>>): NonNullable<Tool['outputSchema']> {
  const all = { ...properties, ...counts };
  return { type: 'object', properties: { ...all, next_cursor: nextCursor }, required: Object.keys(all) };
}

function storedOutput({ endpoint: { plan, columns } }: EndpointShape): NonNullable<Tool['outputSchema']> {
  const items = rowSchema(plan.columns, 'plain form', ({ name }) => columns.get(name)?.description);
  return output({ rows: { type: 'array', items: withoutDecimals(items) } });
}

/** Without a format that only OpenAPI knows: the SDK's client writes a warning for each place. */
function withoutDecimals(schema: JsonSchema): JsonSchema {
  const isDecimal = (key: string, value: unknown) => key === 'format' && value === 'decimal';
  return JSON.parse(JSON.stringify(schema, (key, value) => (isDecimal(key, value) ? undefined : value)));
}

const adHocOutput = output({
  columns: {
    type: 'array',
    items: { type: 'object', properties: { name: text, type: text }, required: ['name', 'type'] },
  },
  rows: { type: 'array', items: { type: 'object' }, description: 'Objects by column name.' },
});

/**
 * An example of how GoogleSQL reads arrays of records: the `FROM` clause that joins the first one of a table, and the
 * first one within that.
 *
 * @returns undefined if the table has none
 */
function nestedJoin(table: string, columns: readonly Column[]): string | undefined {
  const column = columns.findIndex(({ type }) => recordOf(type) !== undefined);
  const record = recordOf(columns[column]?.type);
  const name = columnNames(columns)[column];
  if (record === undefined || name === undefined) return undefined;
  const outer = `FROM ${named(table)} AS t CROSS JOIN UNNEST(t.${named(name)}) AS a`;
  const field = record.fields.findIndex(({ type }) => recordOf(type) !== undefined);
  const inner = structFieldNames(record.fields)[field];
  return inner === undefined ? outer : `${outer} CROSS JOIN UNNEST(a.${named(inner)}) AS b`;
}

/** The record that an array has as elements. */
function recordOf(type: SqlType | undefined) {
  return type?.kind === 'ARRAY' && type.element.kind === 'STRUCT' ? type.element : undefined;
}

function named(name: string): string {
  return plainName.test(name) ? name : identifier(name);
}

/** The schema of a parameter as an argument of a tool. */
function argumentSchema(parameter: EndpointParameter): JsonSchema {
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
