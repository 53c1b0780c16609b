import { authorise } from '../../../src/calls/access/authorise.ts';
import { type KeyOptions, readKeyOptions } from '../../../src/calls/access/key/key-options.ts';
import { withoutKeys } from '../../../src/calls/access/key/key-text.ts';
import { newKey } from '../../../src/calls/access/key/new-key.ts';
import type { GivenParameters } from '../../../src/definitions/endpoints/parameters/endpoint-parameter.ts';
import { testGrowth } from '../../support/growth.ts';

const many = (size: number, item: (i: number) => string) => Array.from({ length: size }, (_, i) => item(i));

testGrowth<Partial<KeyOptions>>(
  'A key',
  {
    pins: (size) => ({ pin: many(size, (i) => `p${i}=${i}`) }),
    'values of one pin': (size) => ({ pin: many(size, (i) => `p=${i}`) }),
    projects: (size) => ({ projects: many(size, (i) => `p${i}`) }),
    'projects in one text': (size) => ({ projects: [many(size, (i) => `p${i}`).join()] }),
    endpoints: (size) => ({ endpoints: many(size, (i) => `e${i}`) }),
  },
  (options) => newKey(readKeyOptions({ name: 'key', ...options }, 0, String), 0).addTo([]),
  { size: 1_000, maxSize: 100_000 },
);

interface Bound {
  readonly projects?: ReadonlySet<string>;
  readonly given: GivenParameters;
  readonly parameters: readonly string[];
}

const declared = (name: string) => ({ name, type: { kind: 'STRING' }, required: false }) as const;

testGrowth<Bound>(
  'A call with a bound key',
  {
    projects: (size) => ({
      projects: new Set(many(size, (i) => `p${i}`)),
      given: new Map([['project', many(size, (i) => `p${i}`)]]),
      parameters: ['project'],
    }),
  },
  ({ given, parameters, ...bounds }) =>
    authorise(bounds, { id: 'e', name: 'e', parameters: parameters.map(declared) }, given),
  { size: 1_000, maxSize: 50_000 },
);

testGrowth(
  'A text without keys',
  {
    'beginnings of keys': (size) => 'egw_'.repeat(size),
    'what is almost a key': (size) => `egw_${'a'.repeat(37)}-`.repeat(size / 40),
    keys: (size) => `egw_${'a'.repeat(38)}`.repeat(size / 40),
  },
  withoutKeys,
  { size: 1_000, maxSize: 4_000_000 },
);
