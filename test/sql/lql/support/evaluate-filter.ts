import {
  type Comparison,
  type FieldTest,
  type FilterClause,
  levels,
  type When,
} from '../../../../src/sql/lql/syntax/syntax.ts';
import { parseTimestamp } from '../../../../src/sql/values/timestamp-text.ts';
import type { Event } from './events.ts';

/** What a test says of a value; null for NULL. */
type Truth = boolean | null;

/**
 * How often a filter holds for a row: once or not at all for a filter on a column, once for each of the elements that it
 * holds for where it looks into lists. A second implementation, after docs/lql.md.
 */
export function timesHeld({ filter, negated }: FilterClause, row: Event): number {
  const count = (values: readonly unknown[], test: (value: unknown) => Truth, isNullTest = false) =>
    values.filter((value) => {
      if (!negated) return test(value) === true;
      return isNullTest ? test(value) === false : value === null || test(value) === false;
    }).length;
  switch (filter.kind) {
    case 'message': {
      const { match, text } = filter;
      const test = match === 'regexp' ? matches(text) : known((value) => `${value}`.includes(text));
      return count([row.event_message], test);
    }
    case 'time':
      return count([parseTimestamp(row.timestamp)], (time) => isThen(time as bigint, filter.when));
    case 'level': {
      const from = levels.indexOf(filter.from);
      const meant: readonly unknown[] = levels.slice(from, levels.indexOf(filter.to) + 1);
      const test = known((value) => meant.includes(value));
      return count(valuesAt(row, filter.path.names), test);
    }
    case 'field': {
      const { path, test } = filter;
      return count(valuesAt(row, path.names), testOf(test), test.kind === 'null');
    }
  }
}

/** The values that a path leads to: one for each element of the lists on its way, its own list as a whole. */
export function valuesAt(row: unknown, names: readonly string[]): unknown[] {
  const [name, ...rest] = names;
  if (name === undefined) return [row];
  const value = row === null ? null : (row as Record<string, unknown>)[name];
  if (rest.length > 0 && Array.isArray(value)) return value.flatMap((element) => valuesAt(element, rest));
  return valuesAt(value, rest);
}

function testOf(test: FieldTest): (value: unknown) => Truth {
  switch (test.kind) {
    case 'null':
      return (value) => value === null;
    case 'regexp':
      return matches(test.pattern.text);
    case 'includes':
      return (list) => (list as unknown[]).some((item) => `${item}` === test.value.text);
    case 'includes regexp':
      return (list) => (list as unknown[]).some((item) => matches(test.pattern.text)(item) === true);
    case 'between':
      return known((value) => compared(value, test.from.text) >= 0 && compared(value, test.to.text) <= 0);
    case 'compare':
      return known((value) => fits(compared(value, test.value.text), test.comparison));
  }
}

function known(test: (value: unknown) => boolean): (value: unknown) => Truth {
  return (value) => (value === null ? null : test(value));
}

function matches(pattern: string): (value: unknown) => Truth {
  return known((value) => new RegExp(pattern, 'u').test(`${value}`));
}

/** Texts are ordered by their characters, which is the order of their bytes in UTF-8. */
function compared(value: unknown, text: string): number {
  if (typeof value === 'number') return Math.sign(value - Number(text));
  return Buffer.compare(Buffer.from(`${value}`), Buffer.from(text));
}

function fits(order: number, comparison: Comparison): boolean {
  switch (comparison) {
    case '=':
      return order === 0;
    case '>':
      return order > 0;
    case '>=':
      return order >= 0;
    case '<':
      return order < 0;
    case '<=':
      return order <= 0;
  }
}

function isThen(time: bigint, when: When): boolean {
  if (when.kind === 'between') return time >= when.from.micros && time <= when.to.micros;
  if (when.kind !== 'compare') throw new Error(`no evaluation of ${when.kind}`);
  return fits(time < when.time.micros ? -1 : time > when.time.micros ? 1 : 0, when.comparison);
}
