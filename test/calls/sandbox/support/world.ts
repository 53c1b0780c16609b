import { copyFile, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Endpoint } from '../../../../src/definitions/endpoints/endpoint.ts';
import type { Value } from '../../../../src/sql/values/value.ts';
import { projectFields } from '../../../support/project-fields.ts';
import { type PlainResult, plainResult } from '../../executor/support/result.ts';
import { storedQueries } from './stored-queries.ts';
import { openStoredWorld, printedRows, type StoredWorld, type StoredWorldOptions } from './stored-world.ts';

/** The project whose rows a caller may see. */
export const ownProject = 'aaaabbbbccccddddeeee';
const otherProject = 'ffffgggghhhhiiiijjjj';

/** Stands in every text of a row that no caller of {@link ownProject} may see. */
export const marker = 'S3CRET';

/** A source that no stored query reads. */
const unreadSource = 'billing_records';

/** What the clock of queries shows. */
const now = BigInt(Date.UTC(2026, 10, 20, 6)) * 1000n;

export type Values = Readonly<Record<string, Value>>;

/** Stored queries over a small store, and callers' queries over them. */
export interface World extends Omit<StoredWorld, 'endpoints'> {
  endpoint(name: string): Endpoint;
  /** What a caller of {@link ownProject} is answered, as an executor does it. */
  ask(sql: string, options?: AskOptions): Promise<PlainResult>;
  /** The SQL by which the engine finds the rows of such an answer. What it runs behind it reads columns of these. */
  sqlOf(sql: string, options?: AskOptions): Promise<string>;
  /** The rows of such an answer, as REST prints them. */
  rows(sql: string, options?: AskOptions): Promise<Record<string, unknown>[]>;
}

export interface AskOptions {
  readonly endpoint?: string;
  readonly values?: Values;
  readonly signal?: AbortSignal;
}

export async function openWorld(): Promise<World> {
  const { endpoints, ...world } = await openStoredWorld({ now: () => now, writeFiles, rowsOf });
  const endpointOf = (name: string) => {
    const endpoint = endpoints.find((candidate) => candidate.name === name);
    if (endpoint === undefined) throw new Error(`No endpoint ${name}`);
    return endpoint;
  };
  const request = async (sql: string, options: AskOptions = {}) => {
    const { values = {}, signal = AbortSignal.timeout(100_000) } = options;
    const endpoint = endpointOf(options.endpoint ?? 'logs.all');
    const { plan } = await world.queries.plan(endpoint, sql);
    const given: Values = { project: ownProject, interval: 'daily', ...values };
    const parameters = new Map(endpoint.parameters.map(({ name }) => [name, given[name] ?? null]));
    return { plan, parameters, maxRows: endpoint.maxRows, signal };
  };
  const ask: World['ask'] = async (sql, options) =>
    plainResult(await world.engine.run(await request(sql, options)));
  return {
    ...world,
    endpoint: endpointOf,
    ask,
    async sqlOf(sql, options) {
      const [first = ''] = await world.engine.sqlOf(await request(sql, options));
      return first;
    },
    async rows(sql, options) {
      return printedRows(await ask(sql, options));
    },
  };
}

const writeFiles: StoredWorldOptions['writeFiles'] = async ({ sources, endpoints }) => {
  for (const [kind, folder] of Object.entries({ sources, endpoints })) {
    for (const name of await readdir(path.join('schema', kind))) {
      await copyFile(path.join('schema', kind, name), path.join(folder, name));
    }
  }
  const columns = ['id STRING REQUIRED', 'timestamp TIMESTAMP REQUIRED', 'project STRING', 'amount STRING'];
  const schema = columns.map((column) => {
    const [name, type, mode = 'NULLABLE'] = column.split(' ');
    return { name, type, mode };
  });
  await writeFile(path.join(sources, `${unreadSource}.json`), JSON.stringify(schema));
  for (const [name, text] of Object.entries(storedQueries)) {
    await writeFile(path.join(endpoints, `${name}.sql`), text);
  }
};

function rowsOf(source: string): readonly object[] {
  return [0, 1, 2, 3, 4, 5].map((index) => {
    const isOwn = index % 2 === 0 && source !== unreadSource;
    const project = isOwn ? ownProject : otherProject;
    const text = isOwn ? `own ${index}` : `${marker} ${index}`;
    const common = { id: `${text} of ${source}`, timestamp: `2026-11-20T0${index}:00:00Z` };
    if (source === unreadSource) return { ...common, project: ownProject, amount: text };
    const field = projectFields[source];
    const record = field === undefined ? records(source, text, index) : { [field]: project };
    return {
      ...common,
      event_message: `${text} message`,
      metadata: [record],
      ...(field === undefined && { project }),
    };
  });
}

function records(source: string, text: string, index: number): object {
  if (source !== 'edge_logs') return {};
  const request = {
    method: index === 0 ? 'GET' : 'POST',
    path: `/rest/v1/${text}`,
    url: `https://${ownProject}.example.co/rest/v1/${text}`,
    headers: [{ user_agent: text }],
  };
  return { request: [request], response: [{ status_code: 200 + index * 100 }] };
}
