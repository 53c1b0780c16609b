import { shellQuote } from '../../base/text/shell-quote.ts';
import { projects } from '../../tools/demo/vocabulary/projects.ts';
import { emulatedDataset } from '../made-up/emulated-dataset.ts';
import { type ReadyGateway, whereItIs } from '../made-up/where-it-is.ts';

interface GreetedGateway extends ReadyGateway {
  /** The URL of the demo's BigQuery emulator, if queries run on it. */
  readonly bigquery?: string | undefined;
}

/** The text that the demo prints when it is ready: commands to paste into a shell. */
export function greeting({ bigquery, ...gateway }: GreetedGateway): string {
  const [project] = projects;
  const call = (endpoint: string, parameters: string) => {
    const target = `${gateway.url}/api/endpoints/query/${endpoint}?${parameters}`;
    return `  curl -H ${shellQuote(`X-API-KEY: ${gateway.key}`)} ${shellQuote(target)}`;
  };
  return `
${whereItIs(gateway)}${bigquery === undefined ? '' : aboutBigQuery(bigquery)}
Requests per API area of one project over the last hour, by minute:
${call('usage.api-counts', `interval=minutely&project=${project?.ref}`)}

The newest edge log entries of the project:
${call('logs.all', `project=${project?.ref}`)}

Rows are added every second. Press Ctrl-C to stop.`;
}

function aboutBigQuery(api: string): string {
  const { projectId, datasetId } = emulatedDataset;
  const faults = new URL('/faults', api);
  const outage = JSON.stringify({ path: '/', times: 0, status: { code: 503, reason: 'backendError' } });
  return `
ENGINE=bigquery: the gateway calls BigQuery's REST API. The demo emulates it over the made-up rows at ${api}.
Settings with which other commands reach it, such as test --engine bigquery:
  export GOOGLE_CLOUD_PROJECT=${projectId} BIGQUERY_DATASET=${datasetId} BIGQUERY_EMULATOR_HOST=${api}
Start an outage of BigQuery to see how the gateway handles it, and end it:
  curl -d ${shellQuote(outage)} ${faults}
  curl -X DELETE ${faults}
`;
}
