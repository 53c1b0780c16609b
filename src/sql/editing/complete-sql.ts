import { reserved } from '../text/identifier.ts';
import type { Completions, Described, Names, Option } from './completion.ts';
import { type Field, isSameName, shortType, type Table } from './field.ts';
import { groupOf, isName, isSymbol, isWord, type QueryText, type QueryToken } from './query-text.ts';
import { isQuery, itemStarts, namesBefore } from './read-parts.ts';
import { columnsOf, type Relation, resolvePath, type Scope, scopeAt } from './scope.ts';
import { offeredWords, timeParts, typeWords } from './words.ts';
import { writtenName, writtenTable } from './written-name.ts';

/**
 * What can be written at an offset of a query in GoogleSQL: tables, columns, fields, functions, parameters and keywords.
 * Nothing within texts, numbers and comments.
 *
 * @param isAsked whether the user has asked, and not only typed
 */
export function completeSql(
  query: QueryText,
  offset: number,
  names: Names,
  isAsked: boolean,
): Completions | undefined {
  const { text, tokens } = query;
  const before = tokens.filter(({ start }) => start < offset);
  const last = before.at(-1);
  const partial = last !== undefined && last.end >= offset ? last : undefined;
  if (partial?.kind === 'literal') return undefined;
  if (partial === undefined && !isSpace(text.slice(last?.end ?? query.start, offset))) return undefined;
  if (partial?.kind === 'parameter' || isSymbol(partial, '@')) {
    return { from: partial?.start ?? offset, options: names.parameters.map(parameterOption) };
  }
  const prefix = isName(partial) ? partial : undefined;
  const previous = prefix === undefined ? before : before.slice(0, -1);
  // What is being written has no meaning yet.
  const known = prefix === undefined ? tokens : tokens.filter((token) => token !== prefix);
  const place = {
    from: prefix?.start ?? offset,
    previous,
    names,
    scope: scopeAt(groupOf(known), offset, names),
    spelled: spelling(prefix, previous),
  };
  if (isSymbol(previous.at(-1), '.')) return afterDot(place);
  if (isWord(previous.at(-1), 'AS')) return undefined;
  const isItem = isStartOfItem(previous);
  const isCalledFor = isAsked || prefix !== undefined || (isItem && /\s$/.test(text.slice(0, offset)));
  if (!isCalledFor) return undefined;
  return { from: place.from, options: isItem ? itemOptions(place) : expressionOptions(place) };
}

interface Place {
  readonly from: number;
  /** The tokens before it. */
  readonly previous: readonly QueryToken[];
  readonly names: Names;
  readonly scope: Scope;
  /** A keyword or function, given in upper case, in the letter case of the query. */
  readonly spelled: (word: string) => string;
}

/** Whether nothing but white space and closed comments lies between tokens. */
function isSpace(gap: string): boolean {
  return /^(?:\s|\/\*(?:[^*]|\*(?!\/))*\*\/|(?:--|#)[^\r\n]*[\r\n])*$/.test(gap);
}

/** Lower case if the keyword before it is, or if there is none, what the user has begun to write. */
function spelling(prefix: QueryToken | undefined, previous: readonly QueryToken[]): Place['spelled'] {
  const keyword = previous.findLast(({ kind, text }) => kind === 'word' && reserved.has(text)) ?? prefix;
  const isBegunInUpper = /^[A-Z]/.test(prefix?.written ?? '');
  const isLower = !isBegunInUpper && /^[a-z]/.test(keyword?.written ?? '');
  return (word) => (isLower ? word.toLowerCase() : word);
}

/** Whether an item of a FROM clause comes next. */
function isStartOfItem(tokens: readonly QueryToken[]): boolean {
  let group = groupOf(tokens);
  // Brackets that are open at the end.
  for (let last = group.parts.at(-1); last?.kind === 'group'; last = group.parts.at(-1)) {
    if (last.end < Number.POSITIVE_INFINITY) break;
    group = last;
  }
  const { parts } = group;
  // That of `EXTRACT(part FROM …)` is no clause.
  return isQuery(group) ? itemStarts(parts).includes(parts.length) : isWord(parts.at(-1), 'JOIN');
}

function afterDot({ from, previous, names, scope, spelled }: Place): Completions | undefined {
  const path = namesBefore(previous, previous.length);
  const field = resolvePath(path, scope.relations);
  const owner = path.join('.');
  const isInside = ({ name }: { readonly name: string }) =>
    isSameName(name.slice(0, owner.length + 1), `${owner}.`);
  const tables = names.tables.filter(isInside);
  // After `FROM logs.`, the name before the dot counts as a table without columns.
  if (field !== undefined && (tables.length === 0 || field.fields.length > 0)) {
    // The fields of an array's elements can be read after UNNEST or a subscript only.
    return field.type?.kind === 'ARRAY' ? undefined : { from, options: field.fields.map(fieldOption) };
  }
  if (tables.some(({ name }) => writtenTable(name) !== name)) {
    return { from: previous.at(-2 * path.length)?.start ?? from, options: tables.map(tableOption) };
  }
  const rest = (name: string) => name.slice(owner.length + 1);
  const functions = isSameName(owner, 'SAFE')
    ? names.functions
    : names.functions.filter(isInside).map((each) => ({ ...each, name: rest(each.name) }));
  const inside = [
    ...tables.map((table) => ({ ...tableOption(table), label: rest(table.name), insert: rest(table.name) })),
    ...functions.map((each) => functionOption(each, spelled)),
  ];
  return inside.length === 0 ? undefined : { from, options: inside };
}

function itemOptions({ names, scope: { relations, entries }, spelled }: Place): readonly Option[] {
  const arrays = relations.flatMap(({ name, fields }) =>
    fields
      .filter(({ type }) => type?.kind === 'ARRAY')
      .map((field): Option => {
        const path = [...(name === '' ? [] : [name]), field.name].map(writtenName).join('.');
        const alias = writtenName(freeName(field.name, relations));
        const label = `${spelled('UNNEST')}(${path}) ${spelled('AS')} ${alias}`;
        return { kind: 'record', label, detail: field.type && shortType(field.type) };
      }),
  );
  return [
    ...arrays,
    ...entries.map(
      ({ name }): Option => ({ kind: 'table', label: name, insert: writtenName(name), detail: 'WITH' }),
    ),
    ...names.tables.map(tableOption),
    { kind: 'function', label: spelled('UNNEST') },
  ];
}

function freeName(name: string, relations: readonly Relation[]): string {
  const isTaken = (candidate: string) => relations.some((relation) => isSameName(relation.name, candidate));
  let free = name;
  for (let number = 2; isTaken(free); number += 1) free = `${name}_${number}`;
  return free;
}

function expressionOptions({ names, scope: { relations, entries }, spelled }: Place): readonly Option[] {
  // Before there is a FROM clause, each table may be meant.
  const columns =
    relations.length > 0
      ? relations.flatMap(columnsOf)
      : [...entries, ...names.tables].flatMap(({ fields }) => fields);
  const options: readonly Option[] = [
    ...columns.map(fieldOption),
    ...relations.filter(({ name }) => name !== '').map(relationOption),
    ...names.parameters.map(parameterOption),
    ...names.functions.filter(({ name }) => !name.includes('.')).map((each) => functionOption(each, spelled)),
    ...[...offeredWords, ...timeParts].map((word): Option => ({ kind: 'keyword', label: spelled(word) })),
    ...typeWords.map((label): Option => ({ kind: 'keyword', label, detail: 'type' })),
  ];
  // A column that several tables have is offered once, and a name that is a column and a function once for each meaning.
  const first = new Map<string, Option>();
  for (const option of options) {
    const meaning = `${option.kind} ${option.label.toLowerCase()}`;
    if (!first.has(meaning)) first.set(meaning, option);
  }
  return [...first.values()];
}

function parameterOption({ name, detail, description }: Described): Option {
  return { kind: 'parameter', label: `@${name}`, detail, description };
}

function functionOption({ name, detail, description }: Described, spelled: Place['spelled']): Option {
  return { kind: 'function', label: spelled(name), detail, description };
}

function fieldOption({ name, type, fields, description }: Field): Option {
  return {
    kind: fields.length > 0 ? 'record' : 'column',
    label: name,
    insert: writtenName(name),
    detail: type && shortType(type),
    description,
  };
}

function relationOption({ name, fields, table }: Relation): Option {
  const kind = fields.length > 0 ? 'table' : 'column';
  return { kind, label: name, insert: writtenName(name), detail: table?.name };
}

function tableOption({ name, description }: Table): Option {
  return { kind: 'table', label: name, insert: writtenTable(name), detail: 'table', description };
}
