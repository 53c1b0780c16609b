import type { Fault } from '../faults/fault.ts';
import { GoogleError } from '../wire/google-error.ts';
import { checkQuery } from '../wire/query-string.ts';
import type { ReceivedRequest } from '../wire/request.ts';
import type { Backend, Method } from './call.ts';
import { getQueryResults } from './get-query-results.ts';
import { insertAll } from './insert-all.ts';
import { insertJob } from './insert-job.ts';
import { cancelJob, getJob, listJobs } from './jobs.ts';
import { query } from './query.ts';
import { getTable, listTables } from './tables.ts';

/** The prefix of the API's paths. */
export const apiPath = '/bigquery/v2';

const methods: readonly Method[] = [
  query,
  getQueryResults,
  insertJob,
  getJob,
  cancelJob,
  listJobs,
  listTables,
  getTable,
  insertAll,
];

const routes = methods.map((method) => ({
  method,
  pattern: new RegExp(`^${apiPath}${method.path.replace(/:(\w+)/g, '(?<$1>[^/]+)')}$`),
}));

const projectPattern = /^(?:[a-z0-9.-]{1,63}:)?[a-z][a-z0-9-]{4,61}[a-z0-9]$/;

/**
 * Executes a request. Returns the response's JSON, or undefined if there is no such method.
 *
 * @throws GoogleError
 */
export async function route(
  request: ReceivedRequest,
  fault: Fault | undefined,
  backend: Backend,
): Promise<object | undefined> {
  for (const { method, pattern } of routes) {
    if (method.method !== request.method) continue;
    const groups = pattern.exec(request.path)?.groups;
    if (groups === undefined) continue;
    const parts = Object.fromEntries(Object.entries(groups).map(([name, text]) => [name, decode(text)]));
    checkProject(parts.project ?? '', backend);
    return method.handle({ request, parts, query: checkQuery(request.query, method.query), fault }, backend);
  }
  return undefined;
}

function checkProject(project: string, { projects }: Backend): void {
  if (!projectPattern.test(project)) {
    const rule =
      'Project IDs must contain 6-63 lowercase letters, digits, or dashes. Some project IDs also include domain name separated by a colon. IDs must start with a letter and may not end with a dash.';
    throw GoogleError.invalid(`Invalid project ID '${project}'. ${rule}`);
  }
  if (!projects.has(project)) throw GoogleError.notFound(`Project ${project}`);
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw GoogleError.invalid('The path is not percent-encoded UTF-8');
  }
}
