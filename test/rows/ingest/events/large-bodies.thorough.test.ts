import { describe, expect, test } from 'vitest';
import { computedMs } from '../../../support/computed-ms.ts';
import { appSource, parse, reasons } from './support.ts';

const sources = (['reject', 'ignore', 'add'] as const).map((unknownFields) => appSource({ unknownFields }));

describe('large bodies end in time that grows with their size, and in little memory', () => {
  const cost = (task: () => void) => {
    const before = computedMs();
    task();
    return computedMs() - before;
  };

  test('a million names of fields', () => {
    const line = (from: number) =>
      JSON.stringify(Object.fromEntries(Array.from({ length: 1000 }, (_, i) => [`f${from + i}`, 1])));
    const body = Array.from({ length: 1000 }, (_, i) => line(i * 1000)).join('\n');
    for (const source of sources) {
      const spent = cost(() => {
        const parsed = parse(body, source, { partial: true });
        expect(parsed.rejectedCount).toBe(source.unknownFields === 'reject' ? 1000 : 0);
        const { rejected, newFields } = parsed;
        // Those beyond the limits go into the column of other fields.
        expect(newFields).toHaveLength(source.unknownFields === 'add' ? 1 : 0);
        expect(JSON.stringify(rejected).length).toBeLessThan(10_000_000);
      });
      expect(spent).toBeLessThan(10_000);
    }
  });

  test('a row of a million names', () => {
    const names = Array.from({ length: 1_000_000 }, (_, i) => `"f${i}":1`).join();
    for (const source of sources) {
      expect(reasons(parse(`[{${names}}]`, source))).toEqual(['event 1: limit: more than 250,000 values']);
    }
  });

  test('a row of 16 MiB, and one that is longer', () => {
    const message = 'x'.repeat(16 * 1024 * 1024 - 100);
    const rows = [{ message }, { message: `${message}${message}` }, { message: 'short' }];
    for (const body of [rows.map((row) => JSON.stringify(row)).join('\n'), JSON.stringify(rows)]) {
      const { rejected, sources: kept } = parse(body, appSource(), { partial: true });
      expect(rejected).toMatchObject([{ index: 2, cause: 'limit', reason: 'longer than 16 MiB' }]);
      expect(rejected[0]?.text.length).toBeLessThan(20_000);
      expect(kept[0]?.count).toBe(2);
    }
  });

  test.each([
    ['arrays', '['.repeat(30_000), ']'.repeat(30_000)],
    ['records', '{"a":'.repeat(15_000), `1${'}'.repeat(15_000)}`],
    ['many arrays', '['.repeat(5_000_000), ']'.repeat(5_000_000)],
  ])('levels without end, of %s', (_what, open, close) => {
    for (const source of sources) {
      const ignored = source.unknownFields === 'ignore' && open.length < 100_000;
      for (const id of ['"id":"a",', '']) {
        const { rejected } = parse(`{${id}"a":${open}${close}}\n{}`, source);
        expect(rejected.length).toBe(ignored ? 0 : 1);
      }
    }
  });

  test('unclosed brackets and quotes', () => {
    for (const part of ['[', '{"a":', '["', '[{},', '{"batch":[']) {
      const body = part.repeat(4_000_000 / part.length);
      const refuse = () => {
        const [reason] = reasons(parse(body));
        if (reason !== undefined) throw new Error(reason);
      };
      const spent = cost(() => expect(refuse).toThrow(/The body is not JSON|nested too deeply/));
      expect(spent).toBeLessThan(5_000);
    }
  });

  test('one event again and again', () => {
    const parsed = parse(Array.from({ length: 50_000 }, () => '{}').join('\n'));
    expect(parsed.sources[0]?.count).toBe(50_000);
    const former = parsed.sources[0]?.parts.flatMap(({ formerIds = '' }) => formerIds.split('\n'));
    expect(new Set(former).size).toBe(50_000);
  });
});
