import type { Field, Table } from '../../schema/field.ts';
import { isReserved } from '../../schema/sql-words.ts';
import { type Group, isSign, isWord, type Part } from './sql-tree.ts';

/** A name of a FROM clause: a table, its alias, or the alias of UNNEST. */
export interface Binding {
  readonly name: string;
  readonly fields: readonly Field[];
}

/** What can be read at a place of a query. */
export interface Scope {
  /** Those of the innermost query first. */
  readonly bindings: readonly Binding[];
  /** The endpoint's tables and the entries of WITH. */
  readonly tables: readonly Table[];
}

/** What can be read at a place: names of the query around it and of those around that. */
export function scopeAt(query: Group, position: number, tables: readonly Table[]): Scope {
  return within(query, position, { bindings: [], tables });
}

function within(group: Group, position: number, outer: Scope): Scope {
  const scope = isQuery(group) ? scopeOf(partsAround(group.parts, position), outer) : outer;
  const inner = group.parts.find(
    (part): part is Group => part.kind === 'group' && part.from <= position && position <= part.to,
  );
  return inner === undefined ? scope : within(inner, position, scope);
}

function isQuery({ parts: [first] }: Group): boolean {
  return isWord(first, 'select', 'with', 'from') || (first?.kind === 'group' && isQuery(first));
}

/** The names that a SELECT with its WITH can read. */
function scopeOf(parts: readonly Part[], outer: Scope): Scope {
  const tables = withEntries(parts, outer);
  const names = fromNames(parts, { ...outer, tables });
  return { tables, bindings: [...names, ...outer.bindings] };
}

/** The SELECT at a place, where set operations join several; with what stands before the first one. */
function partsAround(parts: readonly Part[], position: number): readonly Part[] {
  const [first = parts, ...others] = selects(parts);
  const own = others.find(
    (select) =>
      startOf(select[0]) <= position && position <= startOf(others[others.indexOf(select) + 1]?.[0]),
  );
  if (own === undefined) return first;
  const head = first.findIndex((part) => isWord(part, 'select'));
  return [...(isWord(first[0], 'with') ? first.slice(0, head) : []), ...own];
}

function startOf(part: Part | undefined): number {
  return part?.from ?? Number.POSITIVE_INFINITY;
}

function selects(parts: readonly Part[]): readonly (readonly Part[])[] {
  const starts = parts.flatMap((part, index) =>
    isWord(part, 'union', 'intersect', 'except') && isWord(parts[index + 1], 'all', 'distinct')
      ? [index]
      : [],
  );
  return [0, ...starts].map((start, index) => parts.slice(start, starts[index]));
}

function withEntries(parts: readonly Part[], { bindings, tables }: Scope): readonly Table[] {
  if (!isWord(parts[0], 'with')) return tables;
  let known = tables;
  let at = isWord(parts[1], 'recursive') ? 2 : 1;
  for (;;) {
    const name = nameOf(parts[at]);
    const body = parts[at + 2];
    if (name === undefined || !isWord(parts[at + 1], 'as') || body?.kind !== 'group') return known;
    const entry = { name, fields: outputOf(body, { bindings, tables: known }) };
    known = [...known.filter((table) => !same(table.name, name)), entry];
    if (!isSign(parts[at + 3], ',')) return known;
    at += 4;
  }
}

const afterFrom = ['where', 'group', 'having', 'qualify', 'window', 'order', 'limit', 'union', 'intersect'];

function fromNames(parts: readonly Part[], outer: Scope): readonly Binding[] {
  const names: Binding[] = [];
  let isFrom = false;
  for (const [index, part] of parts.entries()) {
    if (isWord(part, ...afterFrom)) isFrom = false;
    if (isWord(part, 'from')) isFrom = true;
    else if (!isFrom || !(isWord(part, 'join') || isSign(part, ','))) continue;
    names.push(...itemNames(parts, index + 1, { ...outer, bindings: [...names, ...outer.bindings] }));
  }
  return names;
}

/** The names of an item of FROM: of a table, a path, a subquery or UNNEST, each with its alias. */
function itemNames(parts: readonly Part[], start: number, scope: Scope): readonly Binding[] {
  const first = parts[start];
  if (isWord(first, 'unnest')) {
    const list = parts[start + 1];
    const fields =
      list?.kind === 'group' ? (resolvePath(pathIn(list.parts, 0).names, scope)?.fields ?? []) : [];
    const { name, next } = aliasAt(parts, start + 2);
    const hasOffset = isWord(parts[next], 'with') && isWord(parts[next + 1], 'offset');
    const offset = hasOffset ? (aliasAt(parts, next + 2).name ?? 'offset') : undefined;
    return [...bindingsOf(name, fields), ...bindingsOf(offset, [])];
  }
  if (first?.kind === 'group') {
    if (isQuery(first)) return bindingsOf(aliasAt(parts, start + 1).name ?? '', outputOf(first, scope));
    return fromNames([{ kind: 'word', text: 'from', from: 0, to: 0 }, ...first.parts], scope);
  }
  const { names, next } = pathIn(parts, start);
  const table = names.length === 1 ? scope.tables.find(({ name }) => same(name, names[0])) : undefined;
  const fields = table?.fields ?? resolvePath(names, scope)?.fields ?? [];
  return bindingsOf(aliasAt(parts, next).name ?? names.at(-1), fields);
}

function bindingsOf(name: string | undefined, fields: readonly Field[]): readonly Binding[] {
  return name === undefined ? [] : [{ name, fields }];
}

/** Words that follow an item without an alias. */
const noAliases = ['on', 'using', 'offset', 'pivot', 'unpivot', 'tablesample'];

function aliasAt(
  parts: readonly Part[],
  at: number,
): { readonly name: string | undefined; readonly next: number } {
  const isAs = isWord(parts[at], 'as');
  const name = nameOf(parts[isAs ? at + 1 : at]);
  if (name === undefined || (!isAs && isWord(parts[at], ...noAliases))) return { name: undefined, next: at };
  return { name, next: isAs ? at + 2 : at + 1 };
}

/** The names of `a.b.c` at a place, and the place after it. */
function pathIn(
  parts: readonly Part[],
  start: number,
): { readonly names: readonly string[]; readonly next: number } {
  const names: string[] = [];
  let next = start;
  for (;;) {
    const part = parts[next];
    // After a dot every word is a name.
    const name = names.length > 0 && part?.kind === 'word' ? part.text : nameOf(part);
    if (name === undefined) return { names, next };
    names.push(name);
    next += 1;
    if (!isSign(parts[next], '.')) return { names, next };
    next += 1;
  }
}

function nameOf(part: Part | undefined): string | undefined {
  if (part?.kind === 'quoted') return part.text;
  return part?.kind === 'word' && !isReserved(part.text) ? part.text : undefined;
}

/** The field or name that a path leads to. */
export function resolvePath(
  [first, ...rest]: readonly string[],
  { bindings }: Pick<Scope, 'bindings'>,
): Pick<Field, 'fields' | 'isArray' | 'type'> | undefined {
  const binding = bindings.find(({ name }) => same(name, first));
  let found: Pick<Field, 'fields' | 'isArray' | 'type'> | undefined = binding
    ? { fields: binding.fields, isArray: false, type: '' }
    : fieldIn(
        bindings.flatMap(({ fields }) => fields),
        first,
      );
  for (const name of rest) {
    // The fields of an array's elements can be read after UNNEST only.
    if (found?.isArray !== false) return undefined;
    found = fieldIn(found.fields, name);
  }
  return found;
}

function fieldIn(fields: readonly Field[], name: string | undefined): Field | undefined {
  return fields.find((field) => same(field.name, name));
}

/** Names are the same in any letter case. */
export function same(one: string, other: string | undefined): boolean {
  return other !== undefined && one.toLowerCase() === other.toLowerCase();
}

/** The columns of a subquery. Their types are known where they are those of fields. */
function outputOf(group: Group, outer: Scope): readonly Field[] {
  const [parts = []] = selects(group.parts);
  const [first] = parts;
  if (first?.kind === 'group' && isQuery(first)) return outputOf(first, outer);
  const start = parts.findIndex((part) => isWord(part, 'select'));
  if (start < 0) return [];
  const from = parts.findIndex((part, index) => index > start && isWord(part, 'from'));
  const scope = scopeOf(parts, outer);
  const own = scope.bindings.slice(0, scope.bindings.length - outer.bindings.length);
  return split(parts.slice(start + 1, from < 0 ? parts.length : from)).flatMap((item) =>
    outputColumns(item, scope, own),
  );
}

/** The items of a list. */
function split(parts: readonly Part[]): readonly (readonly Part[])[] {
  const items: Part[][] = [[]];
  for (const part of parts) {
    if (isSign(part, ',')) items.push([]);
    else items.at(-1)?.push(part);
  }
  return items;
}

function outputColumns(item: readonly Part[], scope: Scope, own: readonly Binding[]): readonly Field[] {
  const expression = isWord(item[0], 'distinct', 'all') ? item.slice(1) : item;
  if (isSign(expression[0], '*')) return own.flatMap(({ fields }) => fields);
  const { names, next } = pathIn(expression, 0);
  if (isSign(expression[next], '*')) return resolvePath(names, scope)?.fields ?? [];
  const last = expression.at(-1);
  const isPath = names.length > 0 && next === expression.length;
  const name = isPath ? names.at(-1) : expression.length > 1 ? nameOf(last) : undefined;
  if (name === undefined) return [];
  const before = expression.slice(0, isWord(expression.at(-2), 'as') ? -2 : -1);
  const isWholePath = isPath || (names.length > 0 && next === before.length);
  const found = isWholePath ? resolvePath(names, scope) : undefined;
  return [{ name, type: found?.type ?? '', isArray: found?.isArray ?? false, fields: found?.fields ?? [] }];
}
