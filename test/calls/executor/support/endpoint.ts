import type { Endpoint } from '../../../../src/definitions/endpoints/endpoint.ts';
import { newPlan } from '../../../../src/sql/plan/plan.ts';

/** An endpoint with one column `n` and one parameter, cached for 60 seconds unless told otherwise. */
export function endpointWith(settings: Partial<Endpoint> = {}): Endpoint {
  return {
    id: '6a7d6f0c-5a3e-4d4f-9d2b-0f6f3a1c8e21',
    name: 'counts',
    version: 'v1',
    number: 1,
    description: '',
    maxRows: 1000,
    parameters: [
      { name: 'project', type: { kind: 'STRING' }, required: true },
      { name: 'size', type: { kind: 'INT64' }, required: false },
    ],
    sandbox: false,
    redactPii: false,
    cacheSeconds: 60,
    liveSeconds: 5,
    warmSeconds: 0,
    warm: [],
    staleIfErrorSeconds: 0,
    job: {},
    labels: [],
    allowReservation: false,
    file: 'counts.sql',
    plan: newPlan({
      isCallers: false,
      sql: '',
      statement: {},
      columns: [{ name: 'n', type: { kind: 'INT64' } }],
      parameters: new Map(),
    }),
    columns: new Map(),
    graphql: {},
    tables: [],
    ...settings,
  };
}
