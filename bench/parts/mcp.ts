import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { type Counts, countsBetween, fetchCounts, proveEngineRuns, proveHits } from '../counts.ts';
import { type Finding, formatMs } from '../finding.ts';
import { alternate, median, quantile } from '../measure.ts';
import { about, proveIs, proveSame } from '../proof.ts';
import { benchKey, startGateway } from '../started-gateway.ts';
import { projectRef } from '../store/projects.ts';

export interface McpOptions {
  readonly dataDir: string;
  /** The package's folder, where the gateway is started. */
  readonly packageDir: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly warmUps?: number;
  /** Measured calls of each kind by each API. */
  readonly measured?: number;
}

const targetMs = 3;
/** As many rows as a tool returns by default. */
const rows = 100;
const project = projectRef(0);

const kinds = [
  { what: 'from the cache', name: 'cached', cacheSeconds: 3_600, proveRuns: proveHits },
  { what: 'run on the engine', name: 'uncached', cacheSeconds: 0, proveRuns: proveEngineRuns },
] as const;

type Kind = (typeof kinds)[number];

const endpoint = ({ name, cacheSeconds }: Kind, index: number) => `/*
id: 6c5b6a52-7f0e-4a59-9d3c-2f1f0c9a7e0${index}
name: ${name}
maxRows: ${rows}
cacheSeconds: ${cacheSeconds}
parameters:
  project:
    required: true
*/
SELECT id, timestamp, event_message FROM logs.edge_logs WHERE project = @project ORDER BY timestamp DESC, id`;

/**
 * Measures what a tool call at `/mcp` takes longer than the same call by REST: one after the other, each on its kept-alive
 * connection. Proves that all calls were answered with the same rows, by the cache or by a run of their own on the engine.
 *
 * @throws MeasurementError
 */
export async function measureMcp(options: McpOptions): Promise<Finding[]> {
  const { warmUps = 100, measured = 500 } = options;
  const folder = await mkdtemp(join(tmpdir(), 'bench-mcp-'));
  try {
    for (const [index, kind] of kinds.entries()) {
      await writeFile(join(folder, `${kind.name}.sql`), endpoint(kind, index));
    }
    const environment = { ...options.environment, ENDPOINTS_DIR: folder };
    await using gateway = await startGateway({ ...options, environment });
    const url = `http://127.0.0.1:${gateway.port}`;
    const findings: Finding[] = [];
    for (const kind of kinds) {
      findings.push(await about(kind.what, () => compared(url, kind, { warmUps, measured })));
    }
    return findings;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function compared(
  url: string,
  kind: Kind,
  { warmUps, measured }: { readonly warmUps: number; readonly measured: number },
): Promise<Finding> {
  using rest = connection();
  using mcp = connection();
  const target = `${url}/api/endpoints/query/${kind.name}?project=${project}`;
  const message = JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: kind.name, arguments: { project } },
  });
  const byRest = () => rest.send(target);
  const byMcp = () => mcp.send(`${url}/mcp`, message);
  const expected = restAnswer.parse(JSON.parse(await byRest())).result;
  proveIs(expected.length, rows, 'rows');
  const runs = { warmUps, leastRuns: measured, maxRuns: measured, budgetMs: Number.POSITIVE_INFINITY };
  const before = await fetchCounts(url, benchKey);
  const [first, second] = await alternate(
    [
      {
        run: byRest,
        check: (body: string) => proveRows(restAnswer.parse(JSON.parse(body)).result, expected),
      },
      { run: byMcp, check: (body: string) => proveRows(mcpAnswer.parse(JSON.parse(body)), expected) },
    ],
    runs,
  );
  proveRunsBetween(before, await fetchCounts(url, benchKey), kind, 2 * (warmUps + measured));
  const differences = second.map((time, index) => time - (first[index] ?? Number.NaN));
  const added = median(differences);
  return {
    part: 'mcp',
    what: kind.what,
    detail: `${rows} rows; REST ${formatMs(median(first))}, tool ${formatMs(median(second))}; half of the differences from ${formatMs(quantile(differences, 0.25))} to ${formatMs(quantile(differences, 0.75))}`,
    result: `+ ${formatMs(added)}`,
    target: `<= ${targetMs} ms`,
    isMet: added <= targetMs,
  };
}

function proveRows(rows: readonly unknown[], expected: readonly unknown[]): void {
  proveSame(rows, expected, 'an answer has other rows');
}

function proveRunsBetween(before: Counts, after: Counts, { proveRuns }: Kind, calls: number): void {
  proveRuns(countsBetween(before, after), calls);
}

const restAnswer = z.object({ result: z.array(z.unknown()) });

const mcpAnswer = z
  .object({ result: z.object({ structuredContent: z.object({ rows: z.array(z.unknown()) }) }) })
  .transform(({ result }) => result.structuredContent.rows);

interface Connection extends Disposable {
  /** Sends a request, with a body by POST, and returns the body of its response, which must have status 200. */
  send(url: string, body?: string): Promise<string>;
}

function connection(): Connection {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const common = { 'X-API-KEY': benchKey };
  const ofMessage = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' };
  return {
    send: (url, body) =>
      new Promise((resolve, reject) => {
        const options =
          body === undefined
            ? { agent, headers: common }
            : { agent, method: 'POST', headers: { ...common, ...ofMessage } };
        const sent = request(url, options, (answer) => {
          const pieces: Buffer[] = [];
          answer.on('data', (piece: Buffer) => pieces.push(piece)).on('error', reject);
          answer.on('end', () => {
            if (answer.statusCode === 200) resolve(Buffer.concat(pieces).toString());
            else reject(new Error(`the gateway answered ${answer.statusCode} to ${url}`));
          });
        });
        sent.on('error', reject);
        sent.end(body);
      }),
    [Symbol.dispose]: () => agent.destroy(),
  };
}
