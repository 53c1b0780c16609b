import { projects } from '../../demo/vocabulary/projects.ts';
import { shellQuote } from '../../shell-quote.ts';

export interface GreetedGateway {
  readonly url: string;
  readonly key: string;
  /** The URL of the demo's own BigQuery server, where queries run on it. */
  readonly bigquery?: string | undefined;
}

/** What the demo says when it is ready: commands to paste into a shell. */
export function greeting({ url, key, bigquery }: GreetedGateway): string {
  const [project] = projects;
  const call = (endpoint: string, parameters: string) => {
    const target = `${url}/api/endpoints/query/${endpoint}?${parameters}`;
    return `  curl -H ${shellQuote(`X-API-KEY: ${key}`)} ${shellQuote(target)}`;
  };
  return `
Ready at ${url}, with the key ${key}
${bigquery === undefined ? '' : aboutBigQuery(bigquery)}
GraphiQL, with examples that run as they are: ${url}/graphql

Requests per API area of one project over the last hour, by minute:
${call('usage.api-counts', `interval=minutely&project=${project?.ref}`)}

The newest edge log entries of that project:
${call('logs.all', `project=${project?.ref}`)}

More rows are added each second. Ctrl-C stops it.`;
}

function aboutBigQuery(api: string): string {
  const faults = new URL('/faults', api);
  const outage = JSON.stringify({ path: '/', times: 0, status: { code: 503, reason: 'backendError' } });
  return `
ENGINE=bigquery: the gateway asks BigQuery by its REST API. Here a server of the demo's own speaks it, over the made-up rows:
${api}. See the gateway get along without it, and end that again:
  curl -d ${shellQuote(outage)} ${faults}
  curl -X DELETE ${faults}
`;
}
