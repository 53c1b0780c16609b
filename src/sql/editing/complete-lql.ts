import { levels, periods } from '../lql/syntax/syntax.ts';
import type { Completions, Names, Option } from './completion.ts';
import { type Field, fieldAt, shortType, type Table, valueKind } from './field.ts';

/** What can stand at a place of a query in LQL: see docs/lql.md. */
export function completeLql(
  lql: string,
  position: number,
  { tables }: Pick<Names, 'tables'>,
  isAsked: boolean,
): Completions | undefined {
  const clause = clauseBefore(lql.slice(0, position));
  if (clause === undefined) return undefined;
  const at = (text: string, options: readonly Option[]): Completions => ({
    from: position - text.length,
    options,
  });
  const fields = fieldsOf(lql, tables);
  const [, name, rest = ''] = /^(?:-?)([\w.]+):(.*)$/s.exec(clause) ?? [];
  switch (name) {
    case undefined: {
      const word = clause.replace(/^-/, '');
      if (!/^[\w.]*$/.test(word) || (clause === '' && !isAsked)) return undefined;
      if (word.includes('.')) return at(lastName(word), pathOptions(word, fields, ':'));
      return at(word, [
        ...(clause.startsWith('-') ? [] : clauseOptions),
        ...filterOptions,
        ...nameOptions(fields, ':'),
      ]);
    }
    case 'f':
    case 'from':
      return at(
        rest,
        tables.map((table) => ({ kind: 'table', label: table.name, detail: 'table' })),
      );
    case 't':
    case 'timestamp':
      return at(rest, timeOptions);
    case 's':
    case 'select':
      return rest.includes('@') ? undefined : at(lastName(rest), pathOptions(rest, fields, ''));
    case 'c':
    case 'chart':
      return chartCompletions(rest);
    default: {
      const field = fieldOf(name, fields);
      return field && /^\W*\w*$/.test(rest) ? at(rest, valueOptions(field)) : undefined;
    }
  }

  function chartCompletions(text: string): Completions | undefined {
    const [, path] = /^\w+\(([\w.]*)$/.exec(text) ?? [];
    if (path === undefined || text.startsWith('count(')) return at(text, chartOptions);
    if (text.startsWith('group_by(')) return at(text, chartOptions);
    return at(lastName(path), pathOptions(path, fields, ')'));
  }
}

/** The clause that a text ends in; undefined if it ends in quotes. */
function clauseBefore(text: string): string | undefined {
  let clause = '';
  let isQuoted = false;
  for (const { 0: part } of text.matchAll(/\\"|"|\s+|[^\s"\\]+|\\/g)) {
    if (part === '"') isQuoted = !isQuoted;
    clause = !isQuoted && /^\s/.test(part) ? '' : clause + part;
  }
  return isQuoted ? undefined : clause;
}

/** The fields of the table that a query reads. */
function fieldsOf(lql: string, tables: readonly Table[]): readonly Field[] {
  const [, wanted] = /(?:^|\s)(?:f|from):(\w+)/.exec(lql) ?? [];
  const table =
    wanted === undefined && tables.length === 1 ? tables[0] : tables.find(({ name }) => name === wanted);
  // Before a table is chosen, each of them may be meant.
  return table?.fields ?? mergedFields(tables.flatMap(({ fields }) => fields));
}

/** Fields of the same name as one, so that all that is in them is found. */
function mergedFields(fields: readonly Field[]): readonly Field[] {
  const merged = new Map<string, Field>();
  for (const field of fields) {
    const known = merged.get(field.name);
    merged.set(field.name, known ? { ...known, fields: [...known.fields, ...field.fields] } : field);
  }
  return [...merged.values()].map((field) => ({ ...field, fields: mergedFields(field.fields) }));
}

/** The field that a path leads to, through records and arrays of them. */
function fieldOf(path: string, fields: readonly Field[]): Field | undefined {
  return fieldAt(fields, path.replace(/^m(?=\.|$)/, 'metadata').split('.'));
}

function lastName(path: string): string {
  return path.slice(path.lastIndexOf('.') + 1);
}

/** @param end what follows a field that is no record */
function pathOptions(path: string, fields: readonly Field[], end: string): readonly Option[] {
  const dot = path.lastIndexOf('.');
  return nameOptions(dot < 0 ? fields : (fieldOf(path.slice(0, dot), fields)?.fields ?? []), end);
}

function nameOptions(fields: readonly Field[], end: string): readonly Option[] {
  const plain = fields.filter(({ name }) => /^\w+$/.test(name));
  return plain.map(({ name, type, fields: inner }): Option => {
    const isRecord = inner.length > 0;
    // The short form is the usual one.
    const label = isRecord && name === 'metadata' ? 'm' : name;
    return {
      kind: isRecord ? 'record' : 'column',
      label,
      detail: type && shortType(type),
      insert: `${label}${isRecord ? '.' : end}`,
      goesOn: isRecord || end === ':',
    };
  });
}

const keyword = (label: string, detail: string, goesOn = true): Option => ({
  kind: 'keyword',
  label,
  detail,
  goesOn,
});
const operator = (label: string, detail: string): Option => ({ kind: 'operator', label, detail });
const value = (label: string, detail?: string): Option => ({ kind: 'value', label, detail });

const clauseOptions: readonly Option[] = [
  keyword('f:', 'table'),
  keyword('s:', 'columns'),
  keyword('c:', 'chart'),
];
const filterOptions: readonly Option[] = [keyword('t:', 'time'), keyword('m.', 'fields of metadata')];

const timeOptions: readonly Option[] = [
  value('last@15m', 'the last 15 minutes'),
  value('last@1h', 'the last hour'),
  value('last@1d', 'since yesterday, 00:00'),
  value('last@7d', 'the last 7 days'),
  value('today'),
  value('yesterday'),
  value('this@hour', 'since the hour began'),
  value('this@day'),
  value('this@week'),
  value('this@month'),
  operator('>', 'after a time'),
  operator('>=', 'at or after a time'),
  operator('<', 'before a time'),
  operator('<=', 'at or before a time'),
];

const call = (name: string, detail: string): Option => ({
  kind: 'function',
  label: `${name}(…)`,
  detail,
  insert: `${name}(`,
  goesOn: true,
});

const chartOptions: readonly Option[] = [
  value('count(*)', 'number of rows'),
  ...periods.map((period) => value(`group_by(t::${period})`, `by ${period}`)),
  call('avg', 'mean'),
  call('sum', 'sum'),
  call('max', 'maximum'),
  call('countd', 'number of distinct values'),
  call('p50', 'median'),
  call('p95', '95th percentile'),
  call('p99', '99th percentile'),
];

function valueOptions(field: Field): readonly Option[] {
  const { name, type, fields } = field;
  if (fields.length > 0) return [];
  if (type?.kind === 'ARRAY')
    return [operator('@>', 'contains'), operator('@>~', 'contains a match of a regular expression')];
  const kind = valueKind(field);
  const comparisons = ['>', '>=', '<', '<='].map((sign) => operator(sign, kind ?? 'a value'));
  const isText = kind === 'STRING';
  return [
    ...(name === 'level' && isText ? levels.map((level) => value(level, 'level')) : []),
    ...(name === 'level' && isText ? [value('warning..emergency', 'range of levels')] : []),
    ...(kind === 'BOOL' ? [value('true'), value('false')] : []),
    ...(isText ? [operator('~', 'matches a regular expression')] : []),
    ...(kind === 'BOOL' ? [] : comparisons),
    value('NULL', 'is missing'),
  ];
}
