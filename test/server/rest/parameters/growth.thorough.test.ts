import { coerceParameters } from '../../../../src/definitions/endpoints/parameters/coerce.ts';
import type { EndpointParameter } from '../../../../src/definitions/endpoints/parameters/endpoint-parameter.ts';
import { givenAsJson } from '../../../../src/definitions/endpoints/parameters/read-given.ts';
import { decodePairs, pickWanted, wantedKeys } from '../../../../src/server/rest/parameters/text-pairs.ts';
import { wantedMembers } from '../../../../src/server/rest/parameters/wanted-members.ts';
import { testGrowth } from '../../../support/growth.ts';

const parameters = (['STRING', 'JSON', 'INT64', 'TIMESTAMP'] as const).map(
  (kind): EndpointParameter => ({
    name: kind,
    type: { kind: 'ARRAY', element: { kind } },
    required: false,
    maxItems: 10_000_000,
  }),
);
const pattern: EndpointParameter = {
  name: 'pattern',
  type: { kind: 'ARRAY', element: { kind: 'STRING' } },
  required: false,
  maxItems: 10_000_000,
  pattern: '(a|b)*c?',
};
const all = [...parameters, pattern];
const list = (size: number, item: (i: number) => string) =>
  Array.from({ length: size }, (_, i) => item(i)).join();

testGrowth(
  'A JSON body',
  {
    'unknown members': (size) => `{${list(size, (i) => `"k${i}":1`)}}`,
    'one member again and again': (size) => `{${list(size, () => '"STRING":1')}}`,
    texts: (size) => `{"STRING":[${list(size, (i) => `"\\u0041${i}"`)}]}`,
    numbers: (size) => `{"INT64":[${list(size, String)}]}`,
    times: (size) => `{"TIMESTAMP":[${list(size, () => '"2025-01-31T10:00:00.123456Z"')}]}`,
    objects: (size) => `{"JSON":[${list(size, (i) => `{"a":[${i}]}`)}]}`,
    'texts for a pattern': (size) => `{"pattern":[${list(size, () => '"abab"')}]}`,
    'one long text': (size) => `{"STRING":"${'\\"'.repeat(size)}"}`,
    'one long number': (size) => `{"INT64":${'1'.repeat(size)}}`,
    'a key with escapes': (size) => `{"${'\\u0041'.repeat(size)}":1}`,
    'white space': (size) => `{"STRING":${' '.repeat(size)}1}`,
    'an unclosed text': (size) => `{"STRING":"${'\\'.repeat(size)}`,
  },
  async (body) => {
    const wanted = wantedKeys(all);
    const members = await wantedMembers(body, new Set(wanted.keys()));
    const given = [...members.wanted].map(([key, source]) => {
      const parameter = wanted.get(key) ?? pattern;
      return [key, givenAsJson(parameter, source)] as const;
    });
    coerceParameters({ parameters: all }, new Map(given));
  },
  { size: 1_000, maxSize: 500_000 },
);

testGrowth(
  'A query string or form',
  {
    'unknown keys': (size) => Array.from({ length: size }, (_, i) => `k${i}=1`).join('&'),
    'keys with brackets': (size) => Array.from({ length: size }, (_, i) => `k[${i}]=1`).join('&'),
    'one key': (size) => 'STRING=a&'.repeat(size),
    escapes: (size) => `STRING=${'%41'.repeat(size)}`,
    'wrong escapes': (size) => `STRING=${'%4'.repeat(size)}`,
    'plus signs': (size) => `STRING=${'+'.repeat(size)}`,
    'equals signs': (size) => '='.repeat(size),
  },
  (query) => coerceParameters({ parameters: all }, pickWanted(decodePairs(query), wantedKeys(all))),
  { size: 1_000, maxSize: 500_000 },
);
