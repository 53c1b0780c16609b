import { type Field, shortType } from '../../schema/field.ts';
import { offeredWords, timeParts, typeWords, writtenName } from '../../schema/sql-words.ts';
import type { Completions, Names, Option } from './completion.ts';
import { type Binding, resolvePath, type Scope, same, scopeAt } from './sql-scope.ts';
import { endsInLiteral, type Token, tokensOf } from './sql-tokens.ts';
import { isSign, isWord, treeOf } from './sql-tree.ts';

/**
 * What can stand at a place of a query in GoogleSQL: tables, columns, fields, functions, parameters and words.
 *
 * @param isAsked whether the user has asked, and not only typed
 */
export function completeSql(
  sql: string,
  position: number,
  names: Names,
  isAsked: boolean,
): Completions | undefined {
  if (endsInLiteral(sql.slice(0, position))) return undefined;
  const tokens = tokensOf(sql);
  const before = tokens.filter(({ from }) => from < position);
  const last = before.at(-1);
  const isPartial = last !== undefined && last.to >= position;
  if (isPartial && last.kind === 'number') return undefined;
  if (isPartial && last.kind === 'parameter') {
    return {
      from: last.from,
      options: names.parameters.map((name) => ({ kind: 'parameter', label: `@${name}` })),
    };
  }
  const prefix = isPartial && (last.kind === 'word' || last.kind === 'quoted') ? last : undefined;
  const from = prefix?.from ?? position;
  const previous = prefix === undefined ? before : before.slice(0, -1);
  // What is being written has no meaning yet.
  const known = prefix === undefined ? tokens : tokens.filter((token) => token !== prefix);
  const scope = scopeAt(treeOf(known), position, names.tables);
  if (isSign(previous.at(-1), '.')) {
    const owner = resolvePath(pathBefore(previous), scope);
    return owner === undefined || owner.isArray
      ? undefined
      : { from, options: owner.fields.map(columnOption) };
  }
  if (isWord(previous.at(-1), 'as')) return undefined;
  const isAfterFrom = startsItem(previous);
  if (prefix === undefined && !isAsked && !(isAfterFrom && /\s$/.test(sql.slice(0, position))))
    return undefined;
  if (isAfterFrom) return { from, options: itemOptions(scope) };
  const isUpper = /^[A-Z]/.test(prefix?.text ?? '');
  return { from, options: expressionOptions(scope, names.functions, isUpper) };
}

/** The names of `a.b.` at the end. */
function pathBefore(tokens: readonly Token[]): readonly string[] {
  const names: string[] = [];
  for (let at = tokens.length - 1; isSign(tokens[at], '.'); at -= 2) {
    const token = tokens[at - 1];
    if (token?.kind !== 'word' && token?.kind !== 'quoted') break;
    names.unshift(token.text);
  }
  return names;
}

/** Whether an item of a FROM clause comes next. */
function startsItem(tokens: readonly Token[]): boolean {
  const last = tokens.at(-1);
  if (isWord(last, 'from', 'join')) return true;
  if (!isSign(last, ',')) return false;
  // The word that the list of this comma follows.
  let depth = 0;
  for (const token of tokens.toReversed()) {
    if (isSign(token, ')')) depth += 1;
    else if (isSign(token, '(')) depth -= 1;
    if (depth < 0) return false;
    if (depth === 0 && isWord(token, 'from', 'join')) return true;
    if (depth === 0 && isWord(token, 'select', 'by', 'where', 'using', 'on', 'with', 'having')) return false;
  }
  return false;
}

function itemOptions({ tables, bindings }: Scope): readonly Option[] {
  const lists = bindings.flatMap(({ name, fields }) =>
    fields
      .filter(({ isArray }) => isArray)
      .map((field): Option => {
        const path = `${writtenName(name)}.${writtenName(field.name)}`;
        const label = `unnest(${path}) as ${writtenName(freeName(field.name, bindings))}`;
        return { kind: 'record', label, detail: shortType(field.type) };
      }),
  );
  const all = tables.map(
    ({ name }): Option => ({ kind: 'table', label: name, detail: 'table', insert: writtenName(name) }),
  );
  return [...lists, ...all, { kind: 'function', label: 'unnest' }];
}

function freeName(name: string, bindings: readonly Binding[]): string {
  const isTaken = (candidate: string) => bindings.some((binding) => same(binding.name, candidate));
  let free = name;
  for (let number = 2; isTaken(free); number += 1) free = `${name}_${number}`;
  return free;
}

function expressionOptions(
  { tables, bindings }: Scope,
  functions: readonly string[],
  isUpper: boolean,
): readonly Option[] {
  // Before there is a FROM clause, each table may be meant.
  const owners = bindings.length > 0 ? bindings : tables;
  const columns = owners.flatMap(({ fields }) => fields.map(columnOption));
  const spelled = (word: string) => (isUpper ? word.toUpperCase() : word.toLowerCase());
  const options: readonly Option[] = [
    ...columns,
    ...bindings.map(
      ({ name, fields }): Option => ({
        kind: fields.length > 0 ? 'record' : 'column',
        label: name,
        insert: writtenName(name),
      }),
    ),
    ...functions.map((name): Option => ({ kind: 'function', label: spelled(name) })),
    ...[...offeredWords, ...timeParts].map((word): Option => ({ kind: 'keyword', label: spelled(word) })),
    ...typeWords.map((word): Option => ({ kind: 'keyword', label: word.toUpperCase(), detail: 'type' })),
  ];
  // A name that is a column and a function is offered once for each meaning.
  return [
    ...new Map(options.map((option) => [`${option.kind} ${option.label.toLowerCase()}`, option])).values(),
  ];
}

function columnOption({ name, type, fields }: Field): Option {
  return {
    kind: fields.length > 0 ? 'record' : 'column',
    label: name,
    detail: shortType(type) || undefined,
    insert: writtenName(name),
  };
}
