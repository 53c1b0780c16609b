import { stringLiteral } from '../../text/sql-text.ts';
import { elementType } from '../../values/type.ts';
import type { FilterClause } from '../syntax/syntax.ts';
import { type Condition, fieldCondition, levelCondition, signed } from './filter-condition.ts';
import { patternLiteral } from './pattern.ts';
import { type QueryScope, timeOf } from './query-scope.ts';
import { resolvePath } from './resolve-path.ts';
import { timeCondition } from './time-filter.ts';
import { type ReachedField, reach, type Unnesting } from './unnest.ts';

/** A filter in SQL: a condition on a row, or on the elements of its lists. */
interface RowFilter {
  /** The lists whose elements the condition applies to, outermost first. Empty for a condition on the row itself. */
  readonly unnestings: readonly Unnesting[];
  readonly condition: string;
}

/**
 * Compiles the filters, in order. Each has its own lists and aliases: two filters on the same list may match different
 * elements.
 */
export function rowFilters(filters: readonly FilterClause[], scope: QueryScope): RowFilter[] {
  return filters.map((clause, index) => rowFilter(clause, index + 1, scope));
}

function rowFilter({ filter, negated, at }: FilterClause, number: number, scope: QueryScope): RowFilter {
  const onField = ({ unnestings, sql }: ReachedField, condition: Condition): RowFilter => ({
    unnestings,
    condition: signed(sql, condition, negated),
  });
  switch (filter.kind) {
    case 'message': {
      const message = reachField({ names: ['event_message'], places: [at], at }, number, scope);
      if (message.type.kind !== 'STRING') return scope.refuse(at, 'the column event_message is not text');
      const { sql } = message.reached;
      const test =
        filter.match === 'regexp'
          ? `REGEXP_CONTAINS(${sql}, ${patternLiteral({ text: filter.text, at }, scope)})`
          : `STRPOS(${sql}, ${stringLiteral(filter.text)}) > 0`;
      return onField(message.reached, { sql: test, isNullTest: false });
    }
    case 'time': {
      const { sql, type } = timeOf(scope, at);
      const condition = { sql: timeCondition(sql, type, filter.when), isNullTest: false };
      return onField({ unnestings: [], sql }, condition);
    }
    case 'level': {
      const { reached, type } = reachField(filter.path, number, scope);
      if (type.kind !== 'STRING') return scope.refuse(filter.path.at, 'the level is not text');
      return onField(reached, levelCondition(reached.sql, filter.from, filter.to));
    }
    case 'field': {
      const { reached, type } = reachField(filter.path, number, scope);
      return onField(reached, fieldCondition(reached.sql, type, filter.test, filter.path.at, scope));
    }
  }
}

function reachField(path: Parameters<typeof resolvePath>[0], number: number, scope: QueryScope) {
  const field = resolvePath(path, scope.columns, scope.refuse);
  const inner = elementType(field.type);
  if (inner.kind === 'STRUCT') {
    const names = inner.fields.map(({ name }) => name).join(', ');
    scope.refuse(path.at, `${path.names.join('.')} is a record: choose one of its fields, ${names}`);
  }
  let depth = 0;
  return { type: field.type, reached: reach(field, scope.row, () => `f${number}_${++depth}`) };
}
