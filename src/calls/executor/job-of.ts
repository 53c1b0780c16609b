import type { Endpoint } from '../../definitions/endpoints/endpoint.ts';
import { type Job, type JobSettings, reservationPattern } from '../../definitions/jobs/job.ts';
import { cleanLabels, epochMilliseconds } from '../../definitions/jobs/labels.ts';
import type { Payer } from '../access/caller/caller.ts';
import type { KeyedQuery } from './entries/query-key.ts';

/** The settings of the jobs of a class, which an endpoint's own replace. */
export type ClassJob = Pick<JobSettings, 'priority'> & Pick<Job, 'reservation'>;

/**
 * The settings of a caller's job. Jobs of the gateway itself have the labels that need no caller, and the endpoint's own
 * reservation.
 */
export function jobOf(
  keyedQuery: Pick<KeyedQuery, 'endpoint' | 'parameters'>,
  caller?: Payer,
  { reservation: ofClass, ...classSettings }: ClassJob = {},
): Job {
  const { id, name, job } = keyedQuery.endpoint;
  const reservation = reservationFor(keyedQuery.endpoint, caller?.reservation) ?? ofClass;
  return {
    ...classSettings,
    ...job,
    endpoint: { id, name },
    labels: labelsFor(keyedQuery, caller?.labels),
    ...(reservation !== undefined && { reservation }),
  };
}

/** Ignores a caller's reservation that isn't allowed or is malformed. */
function reservationFor({ allowReservation, reservation }: Endpoint, wanted = ''): string | undefined {
  return allowReservation && reservationPattern.test(wanted) ? wanted : reservation;
}

function labelsFor({ endpoint, parameters }: Pick<KeyedQuery, 'endpoint' | 'parameters'>, header?: string) {
  if (endpoint.labels.length === 0) return new Map<string, string>();
  const given = headerLabels(header);
  const labels: [key: string, value: string][] = [];
  for (const { key, value, parameter } of endpoint.labels) {
    const text = value ?? parameterText(endpoint, parameters, parameter) ?? given.get(key);
    if (text !== undefined) labels.push([key, text]);
  }
  return cleanLabels(labels);
}

/** `k=v,k2=v2`. Spaces are significant; an item with two `=` is ignored. */
function headerLabels(header = ''): ReadonlyMap<string, string> {
  const labels = new Map<string, string>();
  for (const item of header.split(',')) {
    const [key = '', value, ...more] = item.split('=');
    if (value !== undefined && more.length === 0) labels.set(key, value);
  }
  return labels;
}

function parameterText(
  endpoint: Endpoint,
  parameters: KeyedQuery['parameters'],
  name: string | undefined,
): string | undefined {
  const value = name === undefined ? null : (parameters.get(name) ?? null);
  if (value === null) return undefined;
  const isInstant = endpoint.parameters.some(
    (parameter) => parameter.name === name && parameter.type.kind === 'TIMESTAMP',
  );
  return isInstant && typeof value === 'bigint' ? epochMilliseconds(value) : String(value);
}
