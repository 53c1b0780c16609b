import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { GatewayError } from '../../../src/base/errors/errors.ts';
import { compileLql } from '../../../src/sql/lql/compile/compile-lql.ts';
import { parseLql } from '../../../src/sql/lql/parse/parse-lql.ts';
import type { Clause, LqlQuery } from '../../../src/sql/lql/syntax/syntax.ts';
import { printLql } from './print-lql.ts';
import { queries } from './support/arbitrary-query.ts';
import { eventFilters } from './support/event-filters.ts';
import { edgeLogs } from './support/tables.ts';

/** The tree without the places in the text. */
function meaning(query: LqlQuery): unknown {
  return JSON.parse(
    JSON.stringify(query.clauses, (key, value) => {
      if (key === 'at' || key === 'places') return undefined;
      return typeof value === 'bigint' ? value.toString() : value;
    }),
  );
}

function parsed(text: string): unknown {
  const [clause] = meaning(parseLql(text)) as Clause[];
  return clause;
}

const micros = (text: string) => `${BigInt(Date.parse(text)) * 1000n}`;
const field = (names: string[], test: object, negated = false) => ({
  kind: 'filter',
  negated,
  filter: { kind: 'field', path: { names }, test },
});
const message = (text: string, match = 'contains', negated = false) => ({
  kind: 'filter',
  negated,
  filter: { kind: 'message', match, text },
});
const time = (when: object, negated = false) => ({ kind: 'filter', negated, filter: { kind: 'time', when } });
const at = (form: string, text: string) => ({ form, micros: micros(text) });

describe('a clause is read', () => {
  test.each<[string, unknown]>([
    ['f:edge_logs', { kind: 'from', table: 'edge_logs' }],
    ['from:a1', { kind: 'from', table: 'a1' }],
    ['s:*', { kind: 'select' }],
    ['select:m.a', { kind: 'select', path: { names: ['metadata', 'a'] } }],
    ['s:a.b@c', { kind: 'select', path: { names: ['a', 'b'] }, alias: 'c' }],
    ['c:count(*)', { kind: 'aggregate', aggregate: 'count' }],
    ['chart:p95(m.x)', { kind: 'aggregate', aggregate: 'p95', path: { names: ['metadata', 'x'] } }],
    ['c:group_by(t::m)', { kind: 'group_by', period: 'minute' }],
    ['c:group_by(timestamp::day)', { kind: 'group_by', period: 'day' }],
    ['error', message('error')],
    ['-error', message('error', 'contains', true)],
    ['"two words"', message('two words')],
    [String.raw`"a\"b\\c\d"`, message(String.raw`a"b\c\d`)],
    [String.raw`a\"b`, message(String.raw`a\"b`)],
    [String.raw`~^a\d+$`, message(String.raw`^a\d+$`, 'regexp')],
    ['-~"a b"', message('a b', 'regexp', true)],
    ['NULL', message('NULL')],
    ['404', message('404')],
    [
      'm.level:error',
      field(['metadata', 'level'], { kind: 'compare', comparison: '=', value: { text: 'error' } }),
    ],
    ['a:>=5', field(['a'], { kind: 'compare', comparison: '>=', value: { text: '5' } })],
    ['-a.b:<1.50', field(['a', 'b'], { kind: 'compare', comparison: '<', value: { text: '1.50' } }, true)],
    ['a:(b c)', field(['a'], { kind: 'compare', comparison: '=', value: { text: 'b c' } })],
    ['a:"-5"', field(['a'], { kind: 'compare', comparison: '=', value: { text: '-5' } })],
    ['a:NULL', field(['a'], { kind: 'null' })],
    ['a:"NULL"', field(['a'], { kind: 'compare', comparison: '=', value: { text: 'NULL' } })],
    ['a:null', field(['a'], { kind: 'compare', comparison: '=', value: { text: 'null' } })],
    ['a:~"^x"', field(['a'], { kind: 'regexp', pattern: { text: '^x' } })],
    ['a:@>x', field(['a'], { kind: 'includes', value: { text: 'x' } })],
    ['a:@>~x', field(['a'], { kind: 'includes regexp', pattern: { text: 'x' } })],
    ['a:>=1..2', field(['a'], { kind: 'between', from: { text: '1' }, to: { text: '2' } })],
    ['a:1..2.5', field(['a'], { kind: 'between', from: { text: '1' }, to: { text: '2.5' } })],
    [
      'a:2025-01-01..2025-01-02T10:00:00Z',
      field(['a'], { kind: 'between', from: { text: '2025-01-01' }, to: { text: '2025-01-02T10:00:00Z' } }),
    ],
    [
      'm.level:info..error',
      {
        kind: 'filter',
        negated: false,
        filter: { kind: 'level', from: 'info', to: 'error', path: { names: ['metadata', 'level'] } },
      },
    ],
    ['t:2025-01-31', time({ kind: 'compare', comparison: '=', time: at('date', '2025-01-31T00:00:00Z') })],
    [
      'timestamp:>2025-01-31T10:00:00.5',
      time({ kind: 'compare', comparison: '>', time: at('datetime', '2025-01-31T10:00:00.5Z') }),
    ],
    [
      't:<=2025-01-31T10:00:00+05:30',
      time({ kind: 'compare', comparison: '<=', time: at('zoned', '2025-01-31T04:30:00Z') }),
    ],
    ['t:1738317600', time({ kind: 'compare', comparison: '=', time: at('zoned', '2025-01-31T10:00:00Z') })],
    [
      't:1738317600123',
      time({ kind: 'compare', comparison: '=', time: at('zoned', '2025-01-31T10:00:00.123Z') }),
    ],
    [
      't:1738317600123456',
      time({ kind: 'compare', comparison: '=', time: at('zoned', '2025-01-31T10:00:00.123Z') }),
    ],
    [
      't:2025-01-01..2025-01-02',
      time({
        kind: 'between',
        from: at('date', '2025-01-01T00:00:00Z'),
        to: at('date', '2025-01-02T00:00:00Z'),
      }),
    ],
    [
      't:2025-{01..02}-{10..03}',
      time({
        kind: 'between',
        from: at('date', '2025-01-10T00:00:00Z'),
        to: at('date', '2025-02-03T00:00:00Z'),
      }),
    ],
    [
      't:2025-01-05T10:00:{01..02}.{4..6}Z',
      time({
        kind: 'between',
        from: at('zoned', '2025-01-05T10:00:01.4Z'),
        to: at('zoned', '2025-01-05T10:00:02.6Z'),
      }),
    ],
    ['t:now', time({ kind: 'now', comparison: '=' })],
    ['t:<now', time({ kind: 'now', comparison: '<' })],
    ['-t:today', time({ kind: 'today' }, true)],
    ['t:yesterday', time({ kind: 'yesterday' })],
    ['t:this@week', time({ kind: 'this', unit: 'week' })],
    ['t:last@hour', time({ kind: 'last', count: 1, unit: 'hour' })],
    ['t:last@15m', time({ kind: 'last', count: 15, unit: 'minute' })],
    ['t:last@2mm', time({ kind: 'last', count: 2, unit: 'month' })],
    ['t:last@3years', time({ kind: 'last', count: 3, unit: 'year' })],
  ])('%s', (text, clause) => {
    expect(parsed(text)).toEqual(clause);
  });

  it('between white space of other kinds, which may stand around the text', () => {
    expect(parsed('\u00a0\fa:b\v\u3000')).toEqual(parsed('a:b'));
  });

  it('wherever white space of any kind stands between', () => {
    const { clauses } = parseLql(' \tf:a\r\n error\n\n-warning ');
    expect(clauses.map(({ kind, at: place }) => [kind, place])).toEqual([
      ['from', 4],
      ['filter', 8],
      ['filter', 15],
    ]);
  });
});

describe('a text is refused with the place of its mistake', () => {
  test.each<[string, string]>([
    ['', 'expected a clause, as error, m.level:error or f:edge_logs [at 1:1]'],
    [' \n ', 'expected a clause, as error, m.level:error or f:edge_logs [at 1:1]'],
    ['a:', 'expected a value [at 1:3]'],
    ['a: b', 'expected a value [at 1:3]'],
    ['ok m.host:a.example', 'expected white space or the end; values with other characters'],
    ['m.zone:us-east', '[at 1:10]'],
    ['a:5-x', '[at 1:4]'],
    ['a:/x', 'expected a value; values with other characters'],
    ['a:-5', '[at 1:3]'],
    ['a:.5', '[at 1:3]'],
    ['a:ä', '[at 1:3]'],
    ['a:"x"y', 'expected white space or the end after the quote [at 1:6]'],
    ['ok "open', 'the quote is never closed [at 1:4]'],
    [String.raw`"C:\" b`, 'the quote is never closed [at 1:1]'],
    ['a\ud800', 'expected valid Unicode [at 1:2]'],
    ['a:"open', 'the quote is never closed [at 1:3]'],
    ['a:(open', 'the parenthesis is never closed [at 1:3]'],
    ["it's", 'text with other characters is written in "quotes" [at 1:3]'],
    ['größe', '[at 1:3]'],
    ['a`b', '[at 1:2]'],
    ['a -', 'expected a filter directly after the - [at 1:4]'],
    ['-f:a', '- is only possible before a filter [at 1:1]'],
    ['x -c:count(*)', '- is only possible before a filter [at 1:3]'],
    ['f:', 'expected the name of a table [at 1:3]'],
    ['f:a-b', 'names of tables hold letters, digits and _ [at 1:4]'],
    ['s:', 'expected the name of a field [at 1:3]'],
    ['s:a@', 'expected a name of letters, digits and _ [at 1:5]'],
    ['s:*@a', '* cannot be renamed [at 1:4]'],
    ['s:a..b', 'expected a name on both sides of the dot [at 1:5]'],
    ['m.:x', 'expected a name on both sides of the dot [at 1:3]'],
    ['c:min(x)', 'expected one of avg, countd, count, sum, max, p50, p95, p99 or group_by [at 1:3]'],
    ['c:sum(*)', 'sum needs a field [at 1:7]'],
    ['c:count(x', 'expected ) [at 1:10]'],
    ['c:group_by(x::m)', 'charts are by time [at 1:12]'],
    ['c:group_by(t::week)', 'expected second, minute, hour or day [at 1:15]'],
    ['a:>NULL', 'NULL is not possible after :> [at 1:2]'],
    ['a:~1..2', 'a range that is not in quotes is not possible after :~ [at 1:2]'],
    ['a:@>1..2', 'a range that is not in quotes is not possible after :@> [at 1:2]'],
    ['a:1..2025-01-01', 'expected a range of two numbers or two dates [at 1:3]'],
    ['m.level:info..nope', 'expected one of debug, info'],
    ['m.level:error..info', 'info is before error: a range must be ascending [at 1:16]'],
    ['t:', 'expected a time'],
    ['t:NULL', 'expected a time'],
    ['t:~x', 'expected :, :>, :>=, :< or :<= before a time [at 1:2]'],
    ['t:2025-02-30', 'there is no such time [at 1:3]'],
    ['t:2025-01-31T10:00', 'expected a time'],
    ['t:2025-01-{05..32}', 'there is no such time [at 1:3]'],
    ['t:2025-01-0{5..7}', 'expected a time'],
    ['t:2025-01-05T10:00:00.1{2..3}', 'expected a time'],
    ['t:{25..26}-01-05', 'expected a time'],
    ['t:2025-01-{05..07}..2025-01-09', 'expected a time'],
    ['t:2025-01-31t10:00:00', 'expected a time'],
    ['t:12345', 'expected a time'],
    ['t:>today', ':> is not possible with a time range [at 1:2]'],
    ['t:>=2025-01-01..2025-01-02', ':>= is not possible with a time range [at 1:2]'],
    ['t:2025-01-01..2025-01-02T00:00:00', 'both ends of a range are dates, or times without a zone'],
    ['t:2025-01-01T00:00:00..1738317600', 'both ends of a range'],
    ['t:this@second', 'expected minute, hour, day, week, month or year [at 1:8]'],
    ['t:last@5min', 'expected a unit'],
    ['t:last@12345m', 'expected a number of at most 4 digits [at 1:8]'],
    [`${'a '.repeat(100)}b`, 'more than 100 clauses [at 1:201]'],
  ])('%s', (text, words) => {
    expect(() => parseLql(text)).toThrow(words);
  });

  it('however long it is, at once', () => {
    expect(() => parseLql(`"${'\\'.repeat(100_001)}`)).toThrow('the quote is never closed [at 1:1]');
    expect(() => parseLql('x'.repeat(140_000))).toThrow('the text is longer than 131072 characters');
    expect(() => parseLql(`a:${'x'.repeat(100_000)}-`)).toThrow('[at 1:100003]');
  });

  it('which is shown with a caret under it', () => {
    const refusal = expect(() => parseLql('f:a\n "ä𝄞" c:min(x)'));
    refusal.toThrow('[at 2:9]\n "ä𝄞" c:min(x)\n        ^');
  });
});

describe('any text', () => {
  const pieces = fc.constantFrom(
    ...'f: s: c: t: m. : :> :@>~ - ~ " ( ) .. { } @ \\ NULL now last@ 2025-01-01 5 a ä'.split(' '),
    ' ',
    '\n',
  );
  it('is read or refused by an error that callers may see', () => {
    const texts = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(pieces).map((parts) => parts.join('')),
    );
    fc.assert(
      fc.property(texts, (text) => {
        try {
          parseLql(text);
        } catch (error) {
          expect(error).toBeInstanceOf(GatewayError);
        }
      }),
      { numRuns: 1000 },
    );
  });
});

describe('a text with a mistake put in', () => {
  const edits = fc.array(
    fc.record({
      at: fc.nat(200),
      remove: fc.nat(2),
      insert: fc.constantFrom('', ...'":.()-@~{}\\ \n\0é𝄞\ud800'),
    }),
    { minLength: 1, maxLength: 3 },
  );
  it('is compiled or refused by an error that callers may see', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          queries,
          eventFilters.map((clauses) => ({ clauses })),
        ),
        edits,
        (query, mistakes) => {
          const text = mistakes.reduce(
            (made, { at: place, remove, insert }) =>
              made.slice(0, place) + insert + made.slice(place + remove),
            printLql(query),
          );
          try {
            expect(compileLql(text, [edgeLogs])).toMatch(/^SELECT /);
          } catch (error) {
            expect(error).toBeInstanceOf(GatewayError);
            expect((error as GatewayError).code).toBe('BAD_USER_INPUT');
            expect((error as GatewayError).message).toMatch(/^LQL: [\s\S]* \[at \d+:\d+\]\n[^\n]*\n *\^$/);
          }
        },
      ),
      { numRuns: 1000 },
    );
  });
});

describe('printing', () => {
  it('and reading again gives the same tree', () => {
    fc.assert(
      fc.property(queries, (query) => {
        expect(meaning(parseLql(printLql(query)))).toEqual(meaning(query));
      }),
      { numRuns: 1000 },
    );
  });
});
