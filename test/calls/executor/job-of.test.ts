import { describe, expect, it } from 'vitest';
import { jobOf } from '../../../src/calls/executor/job-of.ts';
import type { Endpoint } from '../../../src/definitions/endpoints/endpoint.ts';
import { readLabelRules } from '../../../src/definitions/jobs/labels.ts';
import type { Value } from '../../../src/sql/values/value.ts';
import { callerNamed } from './support/caller.ts';
import { endpointWith } from './support/endpoint.ts';

interface Given {
  readonly labels?: string;
  readonly header?: string;
  readonly parameters?: Readonly<Record<string, Value>>;
}

function labelsOf({ labels = '', header, parameters = {} }: Given) {
  const endpoint = endpointWith({
    labels: readLabelRules(labels).filter((rule) => rule !== undefined),
    parameters: [
      ...endpointWith().parameters,
      { name: 'since', type: { kind: 'TIMESTAMP' }, required: false },
      { name: 'exact', type: { kind: 'BOOL' }, required: false },
    ],
  });
  const caller = callerNamed('k', { ...(header !== undefined && { labels: header }) });
  return Object.fromEntries(
    jobOf({ endpoint, parameters: new Map(Object.entries(parameters)) }, caller).labels,
  );
}

describe('the labels of a job', () => {
  it.each<[string, Given, Record<string, string>]>([
    ['are none where the endpoint lists none', { header: 'a=1' }, {}],
    ['are those of the header that are listed', { labels: 'a,b', header: 'a=1,c=2' }, { a: '1' }],
    [
      'are fixed where they have a value, whatever the header says',
      { labels: 'a=x', header: 'a=1' },
      { a: 'x' },
    ],
    [
      'come from a parameter before the header',
      { labels: 'a=@project', header: 'a=1', parameters: { project: 'My Project' } },
      { a: 'my_project' },
    ],
    [
      'come from the header where the parameter is NULL',
      { labels: 'a=@project', header: 'a=1', parameters: { project: null } },
      { a: '1' },
    ],
    ['are absent where nothing gives them', { labels: 'a=@project,b', parameters: { project: null } }, {}],
    ['may be empty', { labels: 'a=@project,b', header: 'b=', parameters: { project: '' } }, { a: '', b: '' }],
    [
      'are cleaned, after they were looked up as they are written',
      { labels: 'User Id,team', header: 'User Id=Ada L., team=x' },
      { user_id: 'ada_l' },
    ],
    ['ignore items of the header with two =', { labels: 'a,b', header: 'a=1=2,b=3,b' }, { b: '3' }],
    [
      'are texts of all types',
      {
        labels: 'a=@size,b=@since,c=@exact',
        parameters: { size: -5n, since: 1_767_323_045_678_999n, exact: true },
      },
      { a: '-5', b: '1767323045678', c: 'true' },
    ],
    [
      'have datetimes as milliseconds',
      {
        labels: 'a=@project,b',
        header: 'b=2026-01-02T03:04:05Z',
        parameters: { project: '2026-01-02 03:04:05' },
      },
      { a: '1767323045000', b: '1767323045000' },
    ],
  ])('%s', (_, given, labels) => {
    expect(labelsOf(given)).toEqual(labels);
  });

  it('need no caller where they are fixed or come from a parameter', () => {
    const endpoint = endpointWith({
      labels: [{ key: 'a', value: 'x' }, { key: 'b', parameter: 'project' }, { key: 'c' }],
    });
    const { labels } = jobOf({ endpoint, parameters: new Map([['project', 'p']]) });
    expect(Object.fromEntries(labels)).toEqual({ a: 'x', b: 'p' });
  });
});

describe('the reservation of a job', () => {
  const own = 'projects/p-1/locations/EU/reservations/own';
  const wanted = 'projects/p-2/locations/us-east1/reservations/wanted';
  const reservationOf = (settings: Partial<Endpoint>, reservation?: string) => {
    const caller = callerNamed('k', { ...(reservation !== undefined && { reservation }) });
    return jobOf({ endpoint: endpointWith(settings), parameters: new Map() }, caller).reservation;
  };

  it('is the one that the caller wants, where the endpoint allows that', () => {
    expect(reservationOf({ allowReservation: true, reservation: own }, wanted)).toBe(wanted);
    expect(reservationOf({ reservation: own }, wanted)).toBe(own);
    expect(reservationOf({}, wanted)).toBeUndefined();
    expect(reservationOf({ allowReservation: true, reservation: own })).toBe(own);
  });

  it.each([
    'prod',
    `${wanted}/`,
    ` ${wanted}`,
    `${wanted}, ${wanted}`,
    'projects/p/locations/EU/reservations',
    'none',
    '',
  ])('is ignored without the form of one: %s', (text) => {
    expect(reservationOf({ allowReservation: true }, text)).toBeUndefined();
  });
});

it('a job has what the endpoint sets, and names it', () => {
  const endpoint = endpointWith({ job: { location: 'EU', maxBytesBilled: 5, priority: 'batch' } });
  expect(jobOf({ endpoint, parameters: new Map() })).toEqual({
    location: 'EU',
    maxBytesBilled: 5,
    priority: 'batch',
    endpoint: { id: endpoint.id, name: 'counts' },
    labels: new Map(),
  });
});
