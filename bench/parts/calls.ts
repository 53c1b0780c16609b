import type { Endpoint } from '../../src/definitions/endpoints/endpoint.ts';
import { callOf } from '../call-of.ts';
import { projectRef } from '../store/projects.ts';
import type { Compared } from './compare-sql.ts';

/** The project with the most rows. */
export const busyProject = projectRef(0);

/** A call of an endpoint's stored query, with its parameters as texts. */
export function stored(name: string, texts: Readonly<Record<string, string>>): Compared['prepare'] {
  return async ({ endpoints }) => {
    const endpoint = endpoints.byName(name);
    if (endpoint === undefined) throw new Error(`no endpoint ${name}`);
    return callOf(endpoint, texts);
  };
}

/** An ad-hoc query over the tables of `logs.all`, for the busy project. */
export function asked(sql: string | ((endpoint: Endpoint) => string), maxRows?: number): Compared['prepare'] {
  return async ({ endpoints, queries }) => {
    const endpoint = endpoints.byName('logs.all');
    if (endpoint === undefined) throw new Error('no endpoint logs.all');
    const { plan, key } = await queries.plan(endpoint, typeof sql === 'string' ? sql : sql(endpoint));
    const query = { canonical: key, plan, maxRows: maxRows ?? endpoint.maxRows, tables: [] };
    return callOf(endpoint, { project: busyProject }).with(query);
  };
}
