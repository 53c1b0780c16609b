import type {
  Clause,
  FieldTest,
  Filter,
  Instant,
  LqlQuery,
  Path,
  When,
} from '../../../src/sql/lql/syntax/syntax.ts';
import { datetimeTextOfMicros } from '../../../src/sql/values/value-text.ts';

/** The query as an LQL text that says the same, one way for everything. */
export function printLql({ clauses }: LqlQuery): string {
  return clauses.map(printClause).join(' ');
}

function printClause(clause: Clause): string {
  switch (clause.kind) {
    case 'from':
      return `f:${clause.table}`;
    case 'select': {
      if (clause.path === undefined) return 's:*';
      return `s:${printPath(clause.path)}${clause.alias === undefined ? '' : `@${clause.alias}`}`;
    }
    case 'aggregate':
      return `c:${clause.aggregate}(${clause.path === undefined ? '*' : printPath(clause.path)})`;
    case 'group_by':
      return `c:group_by(t::${clause.period})`;
    case 'filter':
      return `${clause.negated ? '-' : ''}${printFilter(clause.filter)}`;
  }
}

function printPath({ names }: Path): string {
  return names.join('.');
}

function printFilter(filter: Filter): string {
  switch (filter.kind) {
    case 'message': {
      const text = /^[A-Za-z0-9_]+$/.test(filter.text) ? filter.text : quoted(filter.text);
      return `${filter.match === 'regexp' ? '~' : ''}${text}`;
    }
    case 'time':
      return `t:${printWhen(filter.when)}`;
    case 'level':
      return `${printPath(filter.path)}:${filter.from}..${filter.to}`;
    case 'field':
      return `${printPath(filter.path)}:${printTest(filter.test)}`;
  }
}

function printTest(test: FieldTest): string {
  switch (test.kind) {
    case 'null':
      return 'NULL';
    case 'between':
      return `${test.from.text}..${test.to.text}`;
    case 'compare':
      return `${test.comparison === '=' ? '' : test.comparison}${value(test.value.text)}`;
    case 'regexp':
      return `~${value(test.pattern.text)}`;
    case 'includes':
      return `@>${value(test.value.text)}`;
    case 'includes regexp':
      return `@>~${value(test.pattern.text)}`;
  }
}

function value(text: string): string {
  return /^[A-Za-z0-9_]+$/.test(text) && text !== 'NULL' ? text : quoted(text);
}

function quoted(text: string): string {
  return `"${text.replace(/[\\"]/g, '\\$&')}"`;
}

function printWhen(when: When): string {
  switch (when.kind) {
    case 'compare':
      return `${sign(when.comparison)}${printInstant(when.time)}`;
    case 'now':
      return `${sign(when.comparison)}now`;
    case 'between':
      return `${printInstant(when.from)}..${printInstant(when.to)}`;
    case 'this':
      return `this@${when.unit}`;
    case 'last':
      return `last@${when.count}${when.unit}`;
    default:
      return when.kind;
  }
}

function sign(comparison: string): string {
  return comparison === '=' ? '' : comparison;
}

function printInstant({ form, micros }: Instant): string {
  const text = datetimeTextOfMicros(micros);
  if (form === 'date') return text.slice(0, 10);
  return form === 'zoned' ? `${text}Z` : text;
}
