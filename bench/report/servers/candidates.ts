import { z } from 'zod';
import { cacheKey, cacheRows, restTarget } from '../../parts/cache-servers.ts';
import { prove, proveIs } from '../../proof.ts';
import type { CompetitorRecord } from '../competitors/competitor-order.ts';
import type { MeasuredServer } from './servers-data.ts';

/** A server to measure. */
export interface Candidate extends Pick<MeasuredServer, 'name' | 'kind' | 'way' | 'isGateway'> {
  readonly port: number;
  readonly request: string | ((connection: number) => string);
  /** The start of each body. */
  readonly begins: Buffer;
}

const commonLines = ['Host: 127.0.0.1', `X-API-KEY: ${cacheKey}`, 'Accept: */*', 'User-Agent: bench'];

export const restRequest = `${[`GET ${restTarget} HTTP/1.1`, ...commonLines].join('\r\n')}\r\n\r\n`;

function operationOf(connection: number): string {
  const query =
    'query Logs($project: String!) { logs(project: $project) { id timestamp eventMessage status } }';
  return JSON.stringify({ query, variables: { project: `project-${connection}` } });
}

/** Each connection asks for its own project, since equal calls would share an execution. All have the same rows. */
export function graphqlRequest(connection: number): string {
  const body = operationOf(connection);
  const lines = ['Content-Type: application/json', `Content-Length: ${body.length}`];
  return `${['POST /graphql HTTP/1.1', ...commonLines, ...lines].join('\r\n')}\r\n\r\n${body}`;
}

const restAnswer = z.object({ result: z.array(z.unknown()) });

/** The gateway's answer by REST, as bytes. */
export async function restBody(port: number): Promise<Buffer> {
  const headers = { 'X-API-KEY': cacheKey, 'Accept-Encoding': 'identity' };
  const answer = await fetch(`http://127.0.0.1:${port}${restTarget}`, { headers });
  const body = Buffer.from(await answer.arrayBuffer());
  proveIs(restAnswer.parse(JSON.parse(body.toString())).result.length, cacheRows, 'rows of the REST answer');
  return body;
}

const record = z.strictObject({
  id: z.string(),
  timestamp: z.string(),
  eventMessage: z.string(),
  status: z.string(),
});
const graphqlAnswer = z.object({ data: z.object({ logs: z.array(record) }) });

/** The rows of the gateway's answer by GraphQL, and the data as text. Its extensions after the data are not part of it. */
export async function graphqlData(
  port: number,
): Promise<{ readonly records: readonly CompetitorRecord[]; readonly begins: string }> {
  const headers = { 'X-API-KEY': cacheKey, 'Content-Type': 'application/json' };
  const answer = await fetch(`http://127.0.0.1:${port}/graphql`, {
    method: 'POST',
    headers,
    body: operationOf(0),
  });
  const text = await answer.text();
  const { data } = graphqlAnswer.parse(JSON.parse(text));
  proveIs(data.logs.length, cacheRows, 'rows of the GraphQL answer');
  const begins = `{"data":${JSON.stringify(data)}`;
  prove(text.startsWith(begins), 'the GraphQL answer does not begin with its data');
  return { records: data.logs, begins };
}
