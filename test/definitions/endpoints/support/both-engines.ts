import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readConfig } from '../../../../src/app/engines/registry.ts';
import { launchGateway } from '../../../../src/app/gateway/launch-gateway.ts';
import type { RunningGateway } from '../../../../src/app/gateway/run-gateway.ts';
import { sourceCatalog } from '../../../../src/app/schema/source-catalog.ts';
import type { Problem } from '../../../../src/base/errors/problem.ts';
import { plainLog } from '../../../../src/base/terminal/log.ts';
import { LocalPlanner } from '../../../../src/calls/planner/local-planner.ts';
import { loadEndpoints } from '../../../../src/definitions/endpoints/load-endpoints.ts';
import { loadSources } from '../../../../src/definitions/sources/load-sources.ts';
import type { ServedRows } from '../../../tools/emulators/bigquery/support/served-rows.ts';

export const engines = ['duckdb', 'bigquery'] as const;

/** An endpoint file with a fresh id. */
export function endpointFile(name: string, sql: string, settings = ''): string {
  const number = [...name].reduce((sum, character) => (sum * 31 + character.charCodeAt(0)) % 1e12, 7);
  return `/*\nid: 00000000-0000-4000-8000-${String(number).padStart(12, '0')}\nname: ${name}\n${settings}*/\n${sql}\n`;
}

export interface StartedGateway extends AsyncDisposable {
  readonly warnings: readonly string[];
  /** Calls an endpoint on REST. */
  call(target: string): Promise<{ readonly status: number; readonly json: unknown }>;
  graphql(query: string): Promise<unknown>;
}

/** Writes endpoints into the folder `endpoints` of a new folder, which it returns. */
export async function writeEndpoints(
  endpoints: Readonly<Record<string, string>>,
  functions?: readonly object[],
): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'both-'));
  const endpointsDir = path.join(folder, 'endpoints');
  await mkdir(endpointsDir);
  for (const [name, text] of Object.entries(endpoints)) {
    const file = path.join(endpointsDir, `${name}.sql`);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, text);
  }
  if (functions !== undefined)
    await writeFile(path.join(endpointsDir, 'functions.json'), JSON.stringify(functions));
  return folder;
}

/**
 * Starts a gateway with the embedded engine over an empty store or with BigQuery's emulator over the rows.
 *
 * @param endpoints SQL files by name, without ending, such as `views/visits`
 * @param sources the schemas of the embedded engine's sources by name
 */
export async function startGateway(
  engine: (typeof engines)[number],
  rows: ServedRows,
  endpoints: Readonly<Record<string, string>>,
  {
    functions,
    prepareRows,
  }: {
    readonly functions?: readonly object[];
    readonly prepareRows?: (gateway: RunningGateway) => Promise<void>;
  } = {},
): Promise<StartedGateway> {
  await using opened = new AsyncDisposableStack();
  const folder = await writeEndpoints(endpoints, functions);
  opened.defer(() => rm(folder, { recursive: true }));
  const warnings: string[] = [];
  const config = readConfig({
    PORT: '0',
    API_KEY: 'key',
    RECORD_CALLS: 'false',
    DATA_DIR: path.join(folder, 'data'),
    ENDPOINTS_DIR: path.join(folder, 'endpoints'),
    SOURCES_DIR: rows.sourcesDir,
    ...(engine === 'bigquery' && {
      ENGINE: 'bigquery',
      GOOGLE_CLOUD_PROJECT: 'test-project',
      BIGQUERY_DATASET: 'logs_eu',
      BIGQUERY_EMULATOR_HOST: rows.server.url,
    }),
  });
  const warn = (message: string) => void warnings.push(message);
  const gateway = await launchGateway(config, { log: { ...plainLog(() => {}), warn } });
  opened.defer(() => gateway.close());
  await prepareRows?.(gateway);
  const headers = { 'X-API-KEY': 'key', 'Content-Type': 'application/json' };
  const resources = opened.move();
  return {
    warnings,
    async call(target) {
      const response = await fetch(`${gateway.url}/api/endpoints/query/${target}`, { headers });
      return { status: response.status, json: await response.json() };
    },
    async graphql(query) {
      const body = JSON.stringify({ query });
      return (await fetch(`${gateway.url}/graphql`, { method: 'POST', headers, body })).json();
    },
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}

/** The errors in an endpoint with a query over the sources, without an engine. */
export async function problemsOf(
  sql: string,
  { analyzer, sourcesDir }: ServedRows,
): Promise<readonly Problem[]> {
  const folder = await writeEndpoints({ e: endpointFile('e', sql) });
  try {
    const planner = new LocalPlanner(analyzer);
    const { problems } = await loadEndpoints(path.join(folder, 'endpoints'), {
      planText: (text) => planner.planText(text),
      catalog: sourceCatalog((await loadSources(sourcesDir)).sources),
      checkPlan: async () => {},
    });
    return problems;
  } finally {
    await rm(folder, { recursive: true });
  }
}
