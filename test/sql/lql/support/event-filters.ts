import fc from 'fast-check';
import { readInstant } from '../../../../src/sql/lql/parse/parse-time.ts';
import {
  type Comparison,
  type FieldTest,
  type Filter,
  type FilterClause,
  type Instant,
  levels,
  type Text,
} from '../../../../src/sql/lql/syntax/syntax.ts';
import { fractions, instants, texts, wholes } from './events.ts';

const written = (value: unknown): Text => ({ text: `${value}`, at: 0 });
const pathOf = (names: string) => ({ names: names.split('.'), places: [], at: 0 });

/** Those mean the same to RE2 and to JavaScript. */
const pattern = fc.constantFrom('a', '^a', 'a$', 'A|4', '^$', '.', String.raw`\d`, '[^a]', '𝄞').map(written);
const comparison = fc.constantFrom<Comparison>('=', '>', '>=', '<', '<=');

const textValue = fc.constantFrom(...texts).map(written);
const wholeValue = fc.constantFrom(...wholes).map(written);
const fractionValue = fc.constantFrom(...fractions).map(written);
const flagValue = fc.boolean().map(written);

const compare = (value: fc.Arbitrary<Text>) => fc.record({ kind: fc.constant('compare'), comparison, value });
const equal = (value: fc.Arbitrary<Text>) =>
  value.map((given) => ({ kind: 'compare', comparison: '=', value: given }));
// A range has no minus signs.
const between = (values: readonly number[]) => {
  const end = fc.constantFrom(...values.filter((value) => value >= 0)).map(written);
  return fc.record({ kind: fc.constant('between'), from: end, to: end });
};
const isNull = fc.constant({ kind: 'null' });
const regexp = (kind: string) => fc.record({ kind: fc.constant(kind), pattern });
const includes = (value: fc.Arbitrary<Text>) => fc.record({ kind: fc.constant('includes'), value });

const onText = fc.oneof(compare(textValue), regexp('regexp'), isNull);
const onWhole = fc.oneof(compare(wholeValue), between(wholes), isNull);
const onFraction = fc.oneof(compare(fractionValue), between(fractions), isNull);
const onFlag = fc.oneof(equal(flagValue), isNull);
const onTexts = fc.oneof(includes(textValue), regexp('includes regexp'));

const fields: readonly (readonly [string, fc.Arbitrary<object>])[] = [
  ['event_message', onText],
  ['n', onWhole],
  ['x', onFraction],
  ['flag', onFlag],
  ['tags', onTexts],
  ['numbers', includes(wholeValue)],
  ['metadata.level', onText],
  ['metadata.status', onWhole],
  ['metadata.tags', onTexts],
  ['metadata.user.name', onText],
  ['metadata.request.path', onText],
  ['metadata.request.ms', onFraction],
];

const fieldFilter = fc
  .constantFrom(...fields)
  .chain(([names, tests]) =>
    tests.map((test): Filter => ({ kind: 'field', path: pathOf(names), test: test as FieldTest })),
  );

const instant = fc.constantFrom(...instants).map((text) => readInstant(text) as Instant);
const time = fc.oneof(
  fc.record({ kind: fc.constant('compare' as const), comparison, time: instant }),
  fc.record({ kind: fc.constant('between' as const), from: instant, to: instant }),
);

const level = fc.tuple(fc.nat(levels.length - 1), fc.nat(levels.length - 1)).map(
  ([a, b]) =>
    ({
      kind: 'level',
      from: levels[Math.min(a, b)],
      to: levels[Math.max(a, b)],
      path: pathOf('metadata.level'),
    }) as Filter,
);

const message = fc.oneof(
  textValue.map(({ text }): Filter => ({ kind: 'message', match: 'contains', text })),
  pattern.map(({ text }): Filter => ({ kind: 'message', match: 'regexp', text })),
);

const filter = fc.oneof(
  { weight: 6, arbitrary: fieldFilter },
  { weight: 1, arbitrary: time.map((when): Filter => ({ kind: 'time', when })) },
  { weight: 1, arbitrary: level },
  { weight: 1, arbitrary: message },
);

/** Filters on the columns of events. */
export const eventFilters: fc.Arbitrary<FilterClause[]> = fc.array(
  fc.record({ kind: fc.constant('filter' as const), negated: fc.boolean(), filter, at: fc.constant(0) }),
  { minLength: 1, maxLength: 4 },
);
