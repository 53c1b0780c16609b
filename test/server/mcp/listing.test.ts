import { describe, expect, test, vi } from 'vitest';
import { toolsOf } from '../../../src/server/mcp/tools/endpoint-tool.ts';
import { toolDefinition } from '../../../src/server/mcp/tools/tool-definition.ts';
import { agentShape, logs, plan, runForAgents, shapeOf } from './support/agent.ts';

describe('the tools', () => {
  test('are the fields of GraphQL that the key may call', async () => {
    const { connect } = await runForAgents();
    const names = async (key: string) => {
      const { tools } = await (await connect(key)).listTools();
      return tools.map(({ name }) => name);
    };
    expect(await names('owner')).toEqual(['logsAll', 'logsAllQuery', 'totals']);
    expect(await names('totals-only')).toEqual(['totals']);
    // Nothing binds the rows of `totals` to a project.
    expect(await names('tenant')).toEqual(['logsAll', 'logsAllQuery']);
  });

  test('change with the endpoints', async () => {
    const { connect, gateway } = await runForAgents();
    const client = await connect();
    gateway.useShape({ endpoints: agentShape().endpoints.slice(1) });
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['totals']);
    expect((await client.listResources()).resources).toEqual([]);
  });

  test('have the parameters of the endpoint as arguments', async () => {
    const { connect } = await runForAgents();
    const { tools } = await (await connect()).listTools();
    const [logs] = tools;
    expect(logs).toMatchObject({
      title: 'logs.all',
      description: expect.stringContaining('The newest log rows.'),
      annotations: { readOnlyHint: true, destructiveHint: false },
      inputSchema: {
        type: 'object',
        required: ['project'],
        additionalProperties: false,
        properties: {
          project: {
            type: 'string',
            description: expect.stringContaining('Whose rows.'),
            examples: ['demo'],
          },
          level: { type: 'string', enum: ['info', 'error'], default: 'info' },
          count: { type: 'integer', minimum: 1, maximum: 50 },
          ids: { type: 'array', items: { type: ['integer', 'string'] }, maxItems: 3 },
          since: { type: 'string', description: 'TIMESTAMP.' },
          code: { type: 'string', description: expect.stringContaining('matches [a-z]+') },
          max_rows: { type: 'integer', minimum: 1, maximum: 1000, default: 100 },
        },
      },
    });
    expect(logs?.inputSchema.properties).not.toHaveProperty('sql');
    expect(tools[1]?.inputSchema.properties).toMatchObject({
      project: { type: 'string' },
      sql: { type: 'string' },
      lql: { type: 'string' },
      max_rows: { type: 'integer' },
    });
  });

  test('have no argument for the number of rows if the endpoint has a parameter of that name', async () => {
    const { connect } = await runForAgents();
    const { tools } = await (await connect('totals-only')).listTools();
    expect(Object.keys(tools[0]?.inputSchema.properties ?? {})).toEqual(['max_rows']);
    expect(tools[0]?.inputSchema.properties).not.toMatchObject({ max_rows: { default: 100 } });
  });

  test('have the columns of the endpoint as result', async () => {
    const { connect } = await runForAgents();
    const { tools } = await (await connect()).listTools();
    expect(tools[0]?.outputSchema).toMatchObject({
      type: 'object',
      required: ['rows', 'total_rows', 'truncated'],
      properties: {
        rows: {
          type: 'array',
          items: {
            required: ['id', 'timestamp', 'metadata'],
            properties: {
              id: { type: ['string', 'null'], description: 'The id of the row.' },
              timestamp: { type: ['integer', 'null'] },
              metadata: { type: 'array', items: { properties: { path: { type: ['string', 'null'] } } } },
            },
          },
        },
      },
    });
  });

  test('have schemas that the client of the SDK reads without a warning', async () => {
    const warn = vi.spyOn(console, 'warn');
    const { connect, gateway } = await runForAgents();
    const client = await connect();
    const kinds = [
      'INT64',
      'FLOAT64',
      'NUMERIC',
      'BIGNUMERIC',
      'BYTES',
      'DATE',
      'TIMESTAMP',
      'JSON',
    ] as const;
    const columns = kinds.map((kind) => ({ name: kind, type: { kind } }));
    gateway.useShape(shapeOf([{ ...logs, tables: [], plan: plan(columns), columns: new Map() }]));
    expect((await client.listTools()).tools).toHaveLength(1);
    expect(warn).not.toHaveBeenCalled();
  });

  test('tell a model how to query the tables', async () => {
    const { connect } = await runForAgents();
    const description = (await (await connect()).listTools()).tools[1]?.description;
    expect(description).toContain(
      '- edge_logs (id STRING, timestamp TIMESTAMP, metadata ARRAY<STRUCT<path STRING>>)',
    );
    expect(description).toContain('FROM edge_logs AS t CROSS JOIN UNNEST(t.metadata) AS a.');
    const [stored] = (await (await connect()).listTools()).tools;
    expect(stored?.description).toContain('use logsAllQuery');
  });

  test('leave out the fields of nested columns where they would take too much of its context', async () => {
    const fields = Array.from({ length: 1_000 }, (_, index) => ({
      name: `field_${index}`,
      type: { kind: 'STRING' } as const,
    }));
    const type = { kind: 'ARRAY', element: { kind: 'STRUCT', fields } } as const;
    const wide = { name: 'wide', plan: plan([{ name: 'many fields', type }]), boundBy: new Set<string>() };
    const [shape] = shapeOf([{ ...logs, tables: [wide] }]).endpoints;
    const [, tool] = toolsOf(shape === undefined ? [] : [shape]);
    const description = tool && toolDefinition(tool).description;
    expect(description).toContain('FROM wide AS t CROSS JOIN UNNEST(t.`many fields`) AS a.');
    expect(description).toMatch(
      /in the resources of the tables\.\n\nTables:\n- wide \(many fields ARRAY<STRUCT<\.\.\.>>\)$/,
    );
  });

  test('offer a key only the values that it allows', async () => {
    const { connect } = await runForAgents();
    const schemaOf = async (key: string) => (await (await connect(key)).listTools()).tools[0]?.inputSchema;
    expect(await schemaOf('tenant')).toMatchObject({
      required: ['project'],
      properties: { project: { enum: ['a', 'b'] } },
    });
    expect(await schemaOf('pinned')).toMatchObject({
      required: [],
      properties: { project: { enum: ['p'], default: 'p' } },
    });
  });
});

describe('the resources', () => {
  test('are the columns of the tables that the key may read', async () => {
    const { connect } = await runForAgents();
    const client = await connect();
    const { resources } = await client.listResources();
    expect(resources.map(({ uri }) => uri)).toEqual([
      'endpoint://logs.all/tables/edge_logs',
      'endpoint://logs.all/tables/all%20logs',
    ]);
    const { contents } = await client.readResource({ uri: 'endpoint://logs.all/tables/all%20logs' });
    const [content] = contents;
    expect(content?.mimeType).toBe('application/json');
    expect(JSON.parse(content && 'text' in content ? content.text : '')).toEqual({
      endpoint: 'logs.all',
      table: 'all logs',
      tool: 'logsAllQuery',
      columns: [
        { name: 'id', type: 'STRING', description: '' },
        { name: 'timestamp', type: 'TIMESTAMP', description: '' },
        { name: 'metadata', type: 'ARRAY<STRUCT<path STRING>>', description: '' },
      ],
    });
    expect((await client.listResourceTemplates()).resourceTemplates).toMatchObject([
      { uriTemplate: 'endpoint://{endpoint}/tables/{table}' },
    ]);
  });

  test('do not exist for other keys, nor do tables in descriptions', async () => {
    const { connect } = await runForAgents();
    const tenant = await connect('tenant');
    expect((await tenant.listResources()).resources.map(({ uri }) => uri)).toEqual([
      'endpoint://logs.all/tables/edge_logs',
    ]);
    expect(JSON.stringify(await tenant.listTools())).not.toContain('all logs');
    expect((await (await connect('totals-only')).listResources()).resources).toEqual([]);
    const messageOf = (uri: string) => tenant.readResource({ uri }).catch((error: Error) => error.message);
    const hidden = await messageOf('endpoint://logs.all/tables/all%20logs');
    expect(hidden).toContain('There is no resource');
    expect(hidden).toBe(
      (await messageOf('endpoint://logs.all/tables/x')).toString().replace('/x', '/all%20logs'),
    );
  });
});
