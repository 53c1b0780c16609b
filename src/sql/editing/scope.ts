import type { Column } from '../values/type.ts';
import { type Field, fieldAt, fieldOfType, isSameName, type Table, typedBy } from './field.ts';
import { type Group, isSymbol, isWord, type Part } from './query-text.ts';
import {
  afterFrom,
  aliasAt,
  element,
  isQuery,
  itemStarts,
  itemsOf,
  nameOf,
  pathAt,
  pipeOperators,
  selectList,
  selectsIn,
  withEntries,
} from './read-parts.ts';

/** What a name in a FROM clause stands for: a table, an entry of WITH, a subquery or the elements of an array. */
export interface Relation {
  /** Its alias, or its own name. Empty for a subquery without an alias. */
  readonly name: string;
  readonly fields: readonly Field[];
  /** The table that it is, if it is one. */
  readonly table?: Table;
}

/** The names that can be used at a place of a query. */
export interface Scope {
  /** Those of the innermost query come first. */
  readonly relations: readonly Relation[];
  /** The entries of WITH clauses. The innermost ones come first. */
  readonly entries: readonly Relation[];
}

/** What names outside of a query mean. */
export interface KnownNames {
  readonly tables: readonly Table[];
  /** The columns of the entries of the query's WITH clause by lower-case name, as the analyzer last found them. */
  readonly analyzed: ReadonlyMap<string, readonly Column[]>;
}

/** Finds the table that a path names: `logs.events`, or in quotes `` `logs.events_*` ``. */
export function tableOfPath<T extends Table>(names: readonly string[], tables: readonly T[]): T | undefined {
  return tables.find(({ name }) => isSameName(name, names.join('.')));
}

/** Finds a relation by its name. */
export function relationNamed(relations: readonly Relation[], name: string): Relation | undefined {
  return relations.find((relation) => isSameName(relation.name, name));
}

/** All columns of a relation, also those that `SELECT *` does not have. */
export function columnsOf({ fields, table }: Relation): readonly Field[] {
  return [...fields, ...(table?.pseudoFields ?? [])];
}

/** The column or field that a path leads to. A relation is a record of its columns. */
export function resolvePath(
  [first, ...rest]: readonly string[],
  relations: readonly Relation[],
): Field | undefined {
  if (first === undefined) return undefined;
  const relation = relationNamed(relations, first);
  let field: Field | undefined =
    relation === undefined
      ? columnNamed(relations, first)
      : { name: relation.name, type: undefined, fields: columnsOf(relation) };
  for (const name of rest) {
    // The fields of an array's elements can be read after UNNEST or a subscript only.
    if (field === undefined || (field.type?.kind === 'ARRAY') !== (name === element)) return undefined;
    field =
      field.type?.kind === 'ARRAY' ? { ...field, type: field.type.element } : fieldAt(field.fields, [name]);
  }
  return field;
}

function columnNamed(relations: readonly Relation[], name: string): Field | undefined {
  for (const { fields, table } of relations) {
    const found = fieldAt(fields, [name]) ?? fieldAt(table?.pseudoFields ?? [], [name]);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The names that can be used at an offset. The query may be incomplete. */
export function scopeAt(query: Group, offset: number, known: KnownNames): Scope {
  return new ScopeReader(known).at(query, offset, { relations: [], entries: [] });
}

class ScopeReader {
  readonly #known: KnownNames;

  constructor(known: KnownNames) {
    this.#known = known;
  }

  at(group: Group, offset: number, outer: Scope): Scope {
    const inner = group.parts.find(
      (part): part is Group => part.kind === 'group' && part.start <= offset && offset <= part.end,
    );
    if (!isQuery(group)) return inner === undefined ? outer : this.at(inner, offset, outer);
    const { entries, rest } = this.#with(group.parts, outer);
    const own = withEntriesOf(entries, outer);
    if (inner !== undefined && !rest.includes(inner)) {
      // It is in the WITH clause: its entry reads those before it.
      const before = entries.filter(({ body }) => body.end < inner.start);
      return this.at(inner, offset, withEntriesOf(before, outer));
    }
    const relations = this.#readAt(rest, offset, own);
    const scope = { ...own, relations: [...relations, ...outer.relations] };
    return inner === undefined ? scope : this.at(inner, offset, scope);
  }

  /** What the entries of the WITH clause that the parts begin with stand for, and the parts after it. */
  #with(parts: readonly Part[], outer: Scope) {
    const entries: ReadEntry[] = [];
    const { entries: written, rest } = withEntries(parts);
    for (const { name, body } of written) {
      const columns = this.#known.analyzed.get(name.toLowerCase()) ?? [];
      const fields = this.#output(body, withEntriesOf(entries, outer));
      entries.push({ relation: { name, fields: fields.map((field) => typedBy(field, columns)) }, body });
    }
    return { entries, rest };
  }

  /** What a place in a query can read, apart from what the queries around it read. */
  #readAt(parts: readonly Part[], offset: number, outer: Scope): readonly Relation[] {
    const selects = selectsIn(parts);
    const [firstSelect = []] = selects;
    const select = selects.findLast(([first]) => first !== undefined && first.start <= offset) ?? firstSelect;
    const [query, ...operators] = pipeOperators(select);
    const before = operators.filter(([first]) => first !== undefined && first.start <= offset);
    const current = before.at(-1);
    if (current !== undefined) {
      const own = this.#piped(query, before.slice(0, -1), outer);
      return [...own, ...this.#joined(current, own, outer)];
    }
    const own = this.#relations(query, outer);
    const clause = query.findLast((part) => part.start <= offset && isWord(part, ...afterFrom));
    if (!isWord(clause, 'GROUP', 'HAVING', 'QUALIFY', 'ORDER')) return own;
    // These clauses can name the columns of the result. ORDER BY prefers them, and follows a whole set operation.
    if (isWord(clause, 'ORDER')) return [{ name: '', fields: this.#columns(firstSelect, outer) }, ...own];
    return [...own, { name: '', fields: this.#columns(query, outer) }];
  }

  /** What can be read after pipe operators. */
  #piped(query: readonly Part[], operators: readonly (readonly Part[])[], outer: Scope): readonly Relation[] {
    const isFromOnly = isWord(query[0], 'FROM') && selectList(query) === undefined;
    let own: readonly Relation[] = isFromOnly
      ? this.#relations(query, outer)
      : [{ name: '', fields: this.#columns(query, outer) }];
    for (const operator of operators) {
      const joined = this.#joined(operator, own, outer);
      own = joined.length > 0 ? [...own, ...joined] : afterPipeOperator(operator, own, outer.relations);
    }
    return own;
  }

  /** What a pipe operator joins. */
  #joined(operator: readonly Part[], own: readonly Relation[], outer: Scope): readonly Relation[] {
    return this.#relations(operator, { ...outer, relations: [...own, ...outer.relations] });
  }

  /** The names of the items of a FROM clause among the parts of one SELECT. */
  #relations(parts: readonly Part[], outer: Scope, starts = itemStarts(parts)): readonly Relation[] {
    const found: Relation[] = [];
    for (const start of starts) {
      found.push(...this.#item(parts, start, { ...outer, relations: [...found, ...outer.relations] }));
    }
    return found;
  }

  #item(parts: readonly Part[], start: number, scope: Scope): readonly Relation[] {
    const first = parts[start];
    if (isWord(first, 'UNNEST')) return elementsOf(parts, start, scope);
    if (first?.kind === 'group') {
      if (!isQuery(first)) return this.#relations(first.parts, scope, [0, ...itemStarts(first.parts)]);
      const name = aliasAt(parts, start + 1).alias ?? '';
      return [{ name, fields: this.#output(first, scope) }];
    }
    const { names, next } = pathAt(parts, start);
    const last = names.at(-1);
    if (last === undefined) return [];
    const { alias, next: afterAlias } = aliasAt(parts, next);
    const name = alias ?? last;
    const entry = names.length === 1 ? relationNamed(scope.entries, last) : undefined;
    if (entry !== undefined) return [{ ...entry, name }];
    const table = tableOfPath(names, this.#known.tables);
    if (table !== undefined) return [{ name, fields: table.fields, table }];
    const elements = resolvePath(names, scope.relations)?.fields ?? [];
    return [{ name, fields: elements }, ...offsetRelation(parts, afterAlias)];
  }

  /** The columns of a query. Those of a set operation are named by its first SELECT. */
  #output(query: Group, outer: Scope): readonly Field[] {
    const { entries, rest } = this.#with(query.parts, outer);
    const [first = []] = selectsIn(rest);
    return this.#columns(first, withEntriesOf(entries, outer));
  }

  /** The columns of a query without set operations, WITH and brackets around it, which may have pipe operators. */
  #columns(parts: readonly Part[], scope: Scope): readonly Field[] {
    const [query, ...operators] = pipeOperators(parts);
    if (operators.length > 0) return this.#piped(query, operators, scope).flatMap(({ fields }) => fields);
    const [first] = query;
    if (first?.kind === 'group' && isQuery(first)) return this.#output(first, scope);
    const own = this.#relations(query, scope);
    const list = selectList(query);
    if (list === undefined) return own.flatMap(({ fields }) => fields);
    return columnsOfList(list, own, scope.relations);
  }
}

/** An entry of WITH with its query. */
interface ReadEntry {
  readonly relation: Relation;
  readonly body: Group;
}

function withEntriesOf(entries: readonly ReadEntry[], outer: Scope): Scope {
  return { ...outer, entries: [...entries.map(({ relation }) => relation).reverse(), ...outer.entries] };
}

function elementsOf(parts: readonly Part[], start: number, { relations }: Scope): readonly Relation[] {
  const list = parts[start + 1];
  const inside = list?.kind === 'group' ? list.parts : [];
  const { names, next: end } = pathAt(inside, 0);
  const fields = (end === inside.length ? resolvePath(names, relations)?.fields : undefined) ?? [];
  const { alias, next } = aliasAt(parts, start + 2);
  return [...(alias === undefined ? [] : [{ name: alias, fields }]), ...offsetRelation(parts, next)];
}

/** The name that WITH OFFSET gives to the places of elements. */
function offsetRelation(parts: readonly Part[], at: number): readonly Relation[] {
  if (!isWord(parts[at], 'WITH') || !isWord(parts[at + 1], 'OFFSET')) return [];
  return [{ name: aliasAt(parts, at + 2).alias ?? 'offset', fields: [] }];
}

/**
 * What can be read after a pipe operator, other than a join. Those that neither add nor replace columns change nothing;
 * nor do DROP, RENAME, PIVOT and UNPIVOT here.
 *
 * @param own what could be read before
 * @param outer what the queries around this one read
 */
function afterPipeOperator(
  [operator, ...list]: readonly Part[],
  own: readonly Relation[],
  outer: readonly Relation[],
): readonly Relation[] {
  const unnamed = (parts: readonly Part[]) => ({ name: '', fields: columnsOfList(parts, own, outer) });
  if (isWord(operator, 'AS')) {
    return [{ name: aliasAt(list, 0).alias ?? '', fields: own.flatMap(({ fields }) => fields) }];
  }
  if (isWord(operator, 'SELECT')) return [unnamed(list)];
  if (isWord(operator, 'EXTEND', 'WINDOW')) return [...own, unnamed(list)];
  if (!isWord(operator, 'AGGREGATE')) return own;
  const group = list.findIndex((part) => isWord(part, 'GROUP'));
  const by = list.findIndex((part) => isWord(part, 'BY'));
  const keys = by < 0 ? [] : itemsOf(list.slice(by + 1)).map(withoutOrder);
  const values = itemsOf(list.slice(0, group < 0 ? undefined : group)).map(withoutOrder);
  return [...keys, ...values].map(unnamed);
}

/** An item of AGGREGATE without the order that may follow it. */
function withoutOrder(item: readonly Part[]): readonly Part[] {
  const end = item.findIndex((part) => isWord(part, 'ASC', 'DESC'));
  return end < 0 ? item : item.slice(0, end);
}

/**
 * The columns of a list as that of SELECT. Those without a name are left out.
 *
 * @param own what `*` stands for
 * @param outer what expressions can name besides
 */
function columnsOfList(
  list: readonly Part[],
  own: readonly Relation[],
  outer: readonly Relation[],
): readonly Field[] {
  const relations = [...own, ...outer];
  return itemsOf(list).flatMap((item) => {
    const parts = isWord(item[0], 'DISTINCT', 'ALL') ? item.slice(1) : item;
    const { names, next } = pathAt(parts, 0);
    const resolved = resolvePath(names, relations);
    const star = names.length === 0 ? 0 : next;
    if (isSymbol(parts[star], '*') && (star === 0 || isSymbol(parts[star - 1], '.'))) {
      const all = star === 0 ? own.flatMap(({ fields }) => fields) : (resolved?.fields ?? []);
      const except = isWord(parts[star + 1], 'EXCEPT') ? parts[star + 2] : undefined;
      const left = except?.kind === 'group' ? except.parts.flatMap((part) => nameOf(part) ?? []) : [];
      return all.filter(({ name }) => !left.some((other) => isSameName(name, other)));
    }
    const last = names.at(-1);
    if (last !== undefined && next === parts.length) return last === element ? [] : [renamed(resolved, last)];
    const alias = parts.length > 1 ? nameOf(parts.at(-1)) : undefined;
    if (alias === undefined) return [];
    const expression = parts.slice(0, isWord(parts.at(-2), 'AS') ? -2 : -1);
    return [renamed(next === expression.length ? resolved : undefined, alias)];
  });
}

function renamed(field: Field | undefined, name: string): Field {
  return field === undefined ? fieldOfType(name, undefined) : { ...field, name };
}
