import { parse, validate } from 'graphql';
import { expect, test } from 'vitest';
import type { EndpointParameter } from '../../../../src/definitions/endpoints/parameters/endpoint-parameter.ts';
import {
  exampleCall,
  exampleCurl,
  operationExamples,
} from '../../../../src/server/graphql/examples/examples.ts';
import { buildPage } from '../../../../src/server/graphql/graphiql/build-page.ts';
import { buildSchema } from '../../../../src/server/graphql/schema/build-schema.ts';
import { scalarOf } from '../../../../src/server/graphql/shape/record-types.ts';
import type { ScalarType } from '../../../../src/sql/values/type.ts';
import { runGraphql, testShape } from '../http/support/graphql-gateway.ts';

test('there is an example for each endpoint, one for several tables of it, and one for a query over one of them', () => {
  expect(operationExamples(testShape())).toEqual([
    `query LogsAll {
  logsAll(project: "demo") {
    id
    timestamp
    metadata {
      path
    }
  }
}`,
    `query LogsAllTables {
  logsAllTables(project: "demo") {
    edgeLogs(limit: 5) {
      id
      timestamp
      metadata {
        path
      }
    }
    authLogs(limit: 5) {
      id
      timestamp
      metadata {
        path
      }
    }
  }
}`,
    `query LogsAllQuery {
  logsAllQuery(
    project: "demo"
    sql: "SELECT COUNT(*) AS row_count FROM \`edge_logs\`"
  ) {
    columns {
      name
      type
    }
    rows
    truncated
  }
}`,
    `query ApiCounts {
  apiCounts(interval: HOURLY) {
    total
  }
}`,
  ]);
});

test('the examples run as they are', async () => {
  const gateway = await runGraphql();
  for (const query of operationExamples(testShape())) {
    expect(validate(buildSchema(testShape()), parse(query))).toEqual([]);
    const { json } = await gateway.post({ query });
    expect(json.errors).toBeUndefined();
  }
});

test.each<[string, Partial<EndpointParameter>, string, string]>([
  ['STRING', {}, '"text"', 'text'],
  ['INT64', {}, '"1"', '1'],
  ['FLOAT64', {}, '1', '1'],
  ['BOOL', {}, 'false', 'false'],
  ['BOOL', { example: 'TRUE' }, 'true', 'TRUE'],
  ['BYTES', {}, '"AA=="', 'AA=='],
  ['JSON', {}, '[]', '[]'],
  [
    'JSON',
    { example: '{"a": [12345678901234567890, "b", null]}' },
    '{ a: [12345678901234567890, "b", null] }',
    '',
  ],
  ['JSON', { example: '{"no name": 1}' }, String.raw`"{\"no name\": 1}"`, ''],
])('a required parameter of type %s with %j has a value in examples, the same on both handlers', (...row) => {
  const [kind, given, literal, text] = row;
  const [shape] = testShape().endpoints;
  const [argument] = shape?.arguments ?? [];
  if (shape === undefined || argument === undefined) throw new Error('there is no endpoint');
  const type = { kind } as ScalarType;
  const parameter: EndpointParameter = { name: 'v', type, required: true, ...given };
  const changed = { ...shape, arguments: [{ name: 'v', parameter, type: scalarOf(type) }] };
  expect(exampleCall(changed)).toContain(`(v: ${literal})`);
  const value = encodeURIComponent((given.example as string | undefined) ?? text);
  expect(exampleCurl(changed, 'http://gateway.example')).toContain(`?v=${value}'`);
});

test('no text of an endpoint ends the script of the page', async () => {
  const { html } = await buildPage({
    path: '/graphql',
    examples: ['{ a(b: "</script><script>alert(1)</script><!--<script>$&$1") }'],
  });
  expect(html).not.toContain('</script><script>alert');
  expect(html).toContain('\\u003c/script>\\u003cscript>alert(1)\\u003c/script>\\u003c!--\\u003cscript>$&$1');
});
