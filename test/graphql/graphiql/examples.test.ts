import { parse, validate } from 'graphql';
import { expect, test } from 'vitest';
import { operationExamples } from '../../../src/graphql/examples.ts';
import { buildPage } from '../../../src/graphql/graphiql/build-page.ts';
import { buildSchema } from '../../../src/graphql/schema/build-schema.ts';
import { runGraphql, testShape } from '../http/support/graphql-gateway.ts';

test('there is an example for each endpoint, and one for several tables of it', () => {
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

test('no text of an endpoint ends the script of the page', async () => {
  const { html } = await buildPage({
    path: '/graphql',
    examples: ['{ a(b: "</script><script>alert(1)</script><!--<script>$&$1") }'],
  });
  const text = Buffer.from(html).toString();
  expect(text).not.toContain('</script><script>alert');
  expect(text).toContain('\\u003c/script>\\u003cscript>alert(1)\\u003c/script>\\u003c!--\\u003cscript>$&$1');
});
