import { z } from 'zod';
import type { BigQueryServer } from '../../../../../src/tools/emulators/bigquery/start-server.ts';
import { dataset } from './served-rows.ts';

export interface RestAnswer {
  readonly status: number;
  /** The body's JSON, of whatever form; empty for a body that is none. */
  readonly json: Readonly<Record<string, unknown>>;
  readonly text: string;
}

interface InsertParts {
  readonly reference?: object;
  readonly configuration?: object;
  readonly query?: object;
}

/** BigQuery's REST API without any client, below a project. */
export function rest(server: BigQueryServer, project: string = dataset.projectId) {
  const call = async (path: string, init?: RequestInit): Promise<RestAnswer> => {
    const answer = await fetch(`${server.url}/projects/${project}${path}`, init);
    const text = await answer.text();
    return { status: answer.status, text, json: text.startsWith('{') ? JSON.parse(text) : {} };
  };
  const post = (path: string, body: object | string, headers: Record<string, string> = {}) =>
    call(path, {
      method: 'POST',
      body: typeof body === 'string' ? body : JSON.stringify(body),
      headers: { 'content-type': 'application/json', ...headers },
    });
  return {
    get: (path: string, headers: Record<string, string> = {}) => call(path, { headers }),
    post,
    /** `jobs.query`, in standard SQL. */
    query: (query: string, more: object = {}) => post('/queries', { query, useLegacySql: false, ...more }),
    /** `jobs.insert` of a query in standard SQL. */
    insert: (query: string, jobId: string, more: InsertParts = {}) =>
      post('/jobs', {
        jobReference: { projectId: project, jobId, ...more.reference },
        configuration: { query: { query, useLegacySql: false, ...more.query }, ...more.configuration },
      }),
  };
}

const page = z.object({
  rows: z.array(z.object({ f: z.array(z.object({ v: z.unknown() })) })).default([]),
  pageToken: z.string().optional(),
});

/** The cells of an answer's rows. */
export function cells({ json }: RestAnswer): unknown[][] {
  return page.parse(json).rows.map(({ f }) => f.map(({ v }) => v));
}

export function pageTokenOf({ json }: RestAnswer): string | undefined {
  return page.parse(json).pageToken;
}

/** The error of an answer, as far as tests look at it. */
export function errorOf({ status, json }: RestAnswer) {
  const error = z
    .object({ code: z.number(), message: z.string(), errors: z.array(z.object({ reason: z.string() })) })
    .parse(json.error);
  if (error.code !== status) throw new Error(`The status is ${status}, the error's code ${error.code}`);
  return { status, reason: error.errors[0]?.reason, message: error.message };
}
