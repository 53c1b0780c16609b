import { describe, expect, it } from 'vitest';
import { readSettingsComment } from '../../../src/definitions/endpoints/settings-comment.ts';
import { readLabelRules } from '../../../src/definitions/jobs/labels.ts';

const head = 'id: 00000000-0000-4000-8000-000000000001\nname: a';

/** The settings with these lines of YAML, which stand from line 4 on. */
function read(yaml: string) {
  const { settings, problems } = readSettingsComment('a.sql', `/*\n${head}\n${yaml}\n*/\nSELECT 1`);
  return { settings, problems: problems.map(({ line, column, text }) => `${line}:${column}: ${text}`) };
}

describe('settings for BigQuery', () => {
  it('may all be left out', () => {
    expect(read('').settings).toMatchObject({ labels: '', bigquery: { allowReservation: false } });
  });

  it('are read', () => {
    const yaml = `bigquery:
  location: europe-west4
  maxBytesBilled: 10000000000
  jobTimeoutMs: 20000
  priority: batch
  queryCache: false
  jobCreation: optional
  allowReservation: true
  reservation: projects/p-1/locations/EU/reservations/prod
  maxBytesPerDay: 1000000000000`;
    const { settings, problems } = read(yaml);
    expect(problems).toEqual([]);
    expect(settings?.bigquery).toEqual({
      location: 'europe-west4',
      maxBytesBilled: 10_000_000_000,
      jobTimeoutMs: 20_000,
      priority: 'batch',
      queryCache: false,
      jobCreation: 'optional',
      allowReservation: true,
      reservation: 'projects/p-1/locations/EU/reservations/prod',
      maxBytesPerDay: 1_000_000_000_000,
    });
  });

  it.each([
    ['bytes: 1', '5:3: Unknown key "bigquery.bytes" in the settings'],
    ['timeoutMs: 1', '5:3: Unknown key "bigquery.timeoutMs" in the settings. Did you mean "jobTimeoutMs"?'],
    ['maxBytesBilled: 0', '5:19: Bad setting "bigquery.maxBytesBilled": expected at least 1, got 0'],
    ['maxBytesPerDay: 1.5', /^5:19: Bad setting "bigquery.maxBytesPerDay": /],
    ['priority: low', '5:13: Bad setting "bigquery.priority": expected one of interactive, batch, got "low"'],
    [
      'location: "E U"',
      '5:13: Bad setting "bigquery.location": expected a location such as EU or europe-west4',
    ],
    ['reservation: prod', /^5:16: Bad setting "bigquery.reservation": expected projects\//],
    ['queryCache: maybe', /^5:15: Bad setting "bigquery.queryCache": /],
  ])('are reported with their position if they are invalid: %s', (line, problem) => {
    expect(read(`bigquery:\n  ${line}`).problems).toEqual([
      typeof problem === 'string' ? problem : expect.stringMatching(problem),
    ]);
  });
});

describe('the setting labels', () => {
  it('is a list of keys, of keys with a parameter, and of keys with a value; spaces count', () => {
    expect(readLabelRules('user,tenant=@project, team=core,empty=,')).toEqual([
      { key: 'user' },
      { key: 'tenant', parameter: 'project' },
      { key: ' team', value: 'core' },
      { key: 'empty', value: '' },
    ]);
    expect(readLabelRules('')).toEqual([]);
  });

  it.each([
    ['a,b=c=d', '4:9: Bad setting "labels": expected key, key=@parameter or key=value, got "b=c=d"'],
    ['a=@projekt', '4:9: Bad setting "labels": there is no parameter "projekt"'],
    ['a=@Project', '4:9: Bad setting "labels": there is no parameter "Project"'],
  ])('is wrong as %s', (labels, problem) => {
    expect(read(`labels: ${labels}\nparameters:\n  project: {}`).problems).toEqual([problem]);
  });
});

it('a parameter can not be called dry_run', () => {
  expect(read('parameters:\n  dry_run: {}').problems).toEqual([
    '5:3: Bad parameter name "dry_run": this name is reserved for another request parameter',
  ]);
});
