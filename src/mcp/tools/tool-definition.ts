import type { Tool } from '@modelcontextprotocol/sdk/types.js';
import {
  parameterExample,
  parameterSchema,
  parameterText,
} from '../../discovery/openapi/parameter-schema.ts';
import { type JsonSchema, rowSchema } from '../../discovery/openapi/value-schema.ts';
import type { EndpointParameter } from '../../endpoints/endpoint.ts';
import type { EndpointShape } from '../../graphql/shape/shape.ts';
import { columnNames } from '../../sql/column-names.ts';
import { type Column, elementType } from '../../sql/type.ts';
import { counted } from '../../text/counted.ts';
import type { EndpointTool } from './endpoint-tool.ts';

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

function storedDescription({ endpoint: { description, name, maxRows } }: EndpointShape): string {
  return `${description || name}\n\nThe result has at most ${counted(maxRows, 'row')}.`;
}

function adHocDescription({ endpoint, tables }: EndpointShape): string {
  const lines = (tables?.tables ?? []).map(({ table }) => `- ${tableText(table.name, table.plan.columns)}`);
  const [first] = tables?.tables ?? [];
  return [
    `Runs an ad-hoc query over the tables of ${endpoint.name}, in GoogleSQL (sql) or LQL (lql).`,
    `In LQL, f: names the table: f:${first?.table.name} t:last@1h. In GoogleSQL, nested columns are read by CROSS JOIN UNNEST(...).`,
    `The fields of nested columns are in the resources of the tables. Tables:\n${lines.join('\n')}`,
  ].join('\n\n');
}

/** The table with its columns. Nested types are too long for a description. */
function tableText(table: string, columns: readonly Column[]): string {
  const names = columnNames(columns);
  const shown = columns.map(({ type }, index) => {
    const { kind } = elementType(type);
    const text = kind === 'STRUCT' ? 'STRUCT<...>' : kind;
    return `${names[index]} ${type.kind === 'ARRAY' ? `ARRAY<${text}>` : text}`;
  });
  return `${table} (${shown.join(', ')})`;
}

function argumentSchema(parameter: EndpointParameter): JsonSchema {
  return {
    ...parameterSchema(parameter),
    description: parameterText(parameter),
    ...(parameter.example !== undefined && { examples: [parameterExample(parameter)] }),
  };
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
  const items = rowSchema(plan.columns, ({ name }) => columns.get(name)?.description);
  return output({ rows: { type: 'array', items } });
}

const text = { type: 'string' };

const adHocOutput = output({
  columns: {
    type: 'array',
    items: { type: 'object', properties: { name: text, type: text }, required: ['name', 'type'] },
  },
  rows: { type: 'array', items: { type: 'object' }, description: 'Objects by column name.' },
});
