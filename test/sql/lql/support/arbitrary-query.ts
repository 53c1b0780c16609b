import fc from 'fast-check';
import { readInstant } from '../../../../src/sql/lql/parse/parse-time.ts';
import {
  aggregates,
  type Clause,
  type Comparison,
  type FieldTest,
  type Filter,
  type Instant,
  type LqlQuery,
  levels,
  type Path,
  periods,
  timeUnits,
  type When,
} from '../../../../src/sql/lql/syntax/syntax.ts';

const name = fc.stringMatching(/^[A-Za-z_][A-Za-z0-9_]{0,6}$/);

/** Names that the parser reads as they are: a lone one of these is a clause of another kind. */
const taken = new Set(['f', 'from', 'c', 'chart', 's', 'select', 't', 'timestamp']);

const path: fc.Arbitrary<Path> = fc
  .array(name, { minLength: 1, maxLength: 3 })
  .filter(([first = '', ...rest]) => first !== 'm' && !(rest.length === 0 && taken.has(first)))
  .map((names) => ({ names, places: [], at: 0 }));

const text = fc
  .oneof(
    fc.string(),
    fc.string({ unit: 'grapheme' }),
    fc.constantFrom('NULL', '\\', '"', '\\"', 'a\\', '-5', '\n', ''),
  )
  .map((value) => ({ text: value, at: 0 }));

const comparison = fc.constantFrom<Comparison>('=', '>', '>=', '<', '<=');
const number = fc
  .oneof(
    fc.nat(),
    fc.nat(999).map((value) => `${value}.${value}`),
  )
  .map((value) => ({ text: `${value}`, at: 0 }));

const fieldTest: fc.Arbitrary<FieldTest> = fc.oneof(
  fc.record({ kind: fc.constant('compare'), comparison, value: text }),
  fc.record({ kind: fc.constant('between'), from: number, to: number }),
  fc.constant({ kind: 'null' } as const),
  fc.record({ kind: fc.constantFrom('regexp', 'includes regexp'), pattern: text }),
  fc.record({ kind: fc.constant('includes'), value: text }),
) as fc.Arbitrary<FieldTest>;

const instantOf = (form: Instant['form']): fc.Arbitrary<Instant> =>
  fc.date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true }).map((date) => {
    const written = date.toISOString();
    const shown = form === 'date' ? written.slice(0, 10) : form === 'zoned' ? written : written.slice(0, -1);
    const instant = readInstant(shown);
    if (instant === undefined || instant === 'impossible') throw new Error(shown);
    return instant;
  });

const forms = ['date', 'datetime', 'zoned'] as const;

const when: fc.Arbitrary<When> = fc.oneof(
  fc
    .constantFrom(...forms)
    .chain((form) => fc.record({ kind: fc.constant('compare' as const), comparison, time: instantOf(form) })),
  fc
    .constantFrom(...forms)
    .chain((form) =>
      fc.record({ kind: fc.constant('between' as const), from: instantOf(form), to: instantOf(form) }),
    ),
  fc.record({ kind: fc.constant('now' as const), comparison }),
  fc.constantFrom<When>({ kind: 'today' }, { kind: 'yesterday' }),
  fc.constantFrom(...timeUnits.slice(1)).map((unit) => ({ kind: 'this', unit }) as When),
  fc.record({ kind: fc.constant('last' as const), count: fc.nat(9999), unit: fc.constantFrom(...timeUnits) }),
);

const filter: fc.Arbitrary<Filter> = fc.oneof(
  fc.record({
    kind: fc.constant('message' as const),
    match: fc.constantFrom('contains' as const, 'regexp' as const),
    text: text.map((value) => value.text),
  }),
  fc.record({ kind: fc.constant('time' as const), when }),
  fc.record({ kind: fc.constant('field' as const), path, test: fieldTest }),
  fc
    .tuple(fc.nat(levels.length - 1), fc.nat(levels.length - 1))
    .map(([a, b]) => [levels[Math.min(a, b)], levels[Math.max(a, b)]] as const)
    .map(
      ([from, to]) =>
        ({ kind: 'level', from, to, path: { names: ['metadata', 'level'], places: [], at: 0 } }) as Filter,
    ),
);

const clause: fc.Arbitrary<Clause> = fc.oneof(
  name.map((table): Clause => ({ kind: 'from', table, at: 0 })),
  fc.oneof(
    fc.constant<Clause>({ kind: 'select', path: undefined, at: 0 }),
    path.map((selected): Clause => ({ kind: 'select', path: selected, at: 0 })),
    fc
      .tuple(path, name)
      .map(([selected, alias]): Clause => ({ kind: 'select', path: selected, alias, at: 0 })),
  ),
  fc
    .tuple(fc.constantFrom(...aggregates), path)
    .map(([aggregate, measured]): Clause => ({ kind: 'aggregate', aggregate, path: measured, at: 0 })),
  fc.constantFrom(...periods).map((period): Clause => ({ kind: 'group_by', period, at: 0 })),
  fc
    .tuple(fc.boolean(), filter)
    .map(([negated, given]): Clause => ({ kind: 'filter', negated, filter: given, at: 0 })),
);

/** Any query that LQL can write. */
export const queries: fc.Arbitrary<LqlQuery> = fc
  .array(clause, { minLength: 1, maxLength: 8 })
  .map((clauses) => ({ clauses }));
