import type { Tool } from '@modelcontextprotocol/sdk/types.js';
import { counted } from '../../../base/text/counted.ts';
import { columnNames } from '../../../sql/values/column-names.ts';
import { type Column, elementType, formatType, type SqlType } from '../../../sql/values/type.ts';
import { type JsonSchema, rowSchema } from '../../discovery/openapi/value-schema.ts';
import type { EndpointShape } from '../../graphql/shape/shape.ts';
import { argumentSchema } from './argument-schema.ts';
import { type EndpointTool, rowsByDefault } from './endpoint-tool.ts';
import { nestedJoin } from './nested-join.ts';

/** What `tools/list` tells of a tool: its arguments by the endpoint's parameters, its result by the columns. */
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

function output(properties: Readonly<Record<string, JsonSchema>>): NonNullable<Tool['outputSchema']> {
  const all = { ...properties, ...counts };
  return { type: 'object', properties: all, required: Object.keys(all) };
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

const text = { type: 'string' };

const adHocOutput = output({
  columns: {
    type: 'array',
    items: { type: 'object', properties: { name: text, type: text }, required: ['name', 'type'] },
  },
  rows: { type: 'array', items: { type: 'object' }, description: 'Objects by column name.' },
});
