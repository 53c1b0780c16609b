import type { Endpoint } from '../../src/definitions/endpoints/endpoint.ts';
import { newPlan } from '../../src/sql/plan/plan.ts';

/** A cached endpoint, for engines with rows in memory. */
export const benchEndpoint: Endpoint = {
  id: '00000000-0000-4000-8000-000000000001',
  name: 'logs',
  description: '',
  maxRows: 1000,
  cacheSeconds: 3600,
  liveSeconds: 5,
  warmSeconds: 0,
  warm: [],
  staleIfErrorSeconds: 0,
  job: {},
  labels: [],
  allowReservation: false,
  number: 1,
  version: '1',
  sandbox: false,
  redactPii: false,
  parameters: [{ name: 'project', type: { kind: 'STRING' }, required: true }],
  plan: newPlan({
    isCallers: false,
    sql: '',
    statement: {},
    columns: [
      { name: 'id', type: { kind: 'STRING' } },
      { name: 'timestamp', type: { kind: 'TIMESTAMP' } },
      { name: 'event_message', type: { kind: 'STRING' } },
      { name: 'status', type: { kind: 'INT64' } },
    ],
    parameters: new Map(),
  }),
  file: '',
  columns: new Map(),
  graphql: {},
  tables: [],
};
