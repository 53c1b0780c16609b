import type { Source } from '../../../definitions/sources/source.ts';
import type { Column } from '../../../sql/values/type.ts';
import { type Field, fieldsOfSource, pseudoFieldsOf, typedBy } from './field.ts';
import { afterFrom, itemStarts } from './item-starts.ts';
import { type Group, isWord, type Part } from './part.ts';
import { aliasAt, isQuery, itemsOf, pathAt, selectsIn, splitAt } from './read-parts.ts';
import { type Relation, relationNamed } from './relation.ts';
import { resolvePath, sourceOfPath } from './resolve-path.ts';
import { columnsOfList, selectList } from './select-list.ts';
import { withEntries } from './with-entries.ts';

/** The names that can be used at a place of a query. */
export interface Scope {
  /** Those of the innermost query come first. */
  readonly relations: readonly Relation[];
  /** The entries of WITH clauses. The innermost ones come first. */
  readonly entries: readonly Relation[];
}

/** What names outside of a query mean. */
export interface KnownNames {
  readonly sources: readonly Source[];
  /** The columns of the entries of the query's WITH clause by lower-case name, as the analyzer last found them. */
  readonly analyzed: ReadonlyMap<string, readonly Column[]>;
}

const nowhere: Scope = { relations: [], entries: [] };

/** The names that can be used at an offset. The query may be incomplete. */
export function scopeAt(query: Group, offset: number, known: KnownNames): Scope {
  return new ScopeReader(known).at(query, offset, nowhere);
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
    if (inner !== undefined && !rest.includes(inner)) {
      // It is in the WITH clause: its entry reads those before it.
      const before = entries.filter((entry) => entry.body.end < inner.start).map(({ relation }) => relation);
      return this.at(inner, offset, { ...outer, entries: [...before.reverse(), ...outer.entries] });
    }
    const own = {
      ...outer,
      entries: [...entries.map(({ relation }) => relation).reverse(), ...outer.entries],
    };
    const relations = this.#readAt(rest, offset, own);
    const scope = { ...own, relations: [...relations, ...outer.relations] };
    return inner === undefined ? scope : this.at(inner, offset, scope);
  }

  /** What the entries of the WITH clause that the parts begin with stand for, and the parts after it. */
  #with(parts: readonly Part[], outer: Scope) {
    const entries: { readonly relation: Relation; readonly body: Group }[] = [];
    const { entries: written, rest } = withEntries(parts);
    for (const { name, body } of written) {
      const before = entries.map(({ relation }) => relation).reverse();
      const columns = this.#known.analyzed.get(name.toLowerCase()) ?? [];
      const fields = this.#output(body, { ...outer, entries: [...before, ...outer.entries] });
      entries.push({ relation: { name, fields: fields.map((field) => typedBy(field, columns)) }, body });
    }
    return { entries, rest };
  }

  /** What a place in a query can read, apart from what the queries around it read. */
  #readAt(parts: readonly Part[], offset: number, outer: Scope): readonly Relation[] {
    const select = selectAt(parts, offset);
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
    const [first = []] = selectsIn(parts);
    if (isWord(clause, 'ORDER')) return [{ name: '', fields: this.#columns(first, outer) }, ...own];
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
    if (isWord(first, 'UNNEST')) return this.#elements(parts, start, scope);
    if (first?.kind === 'group') {
      if (!isQuery(first)) return this.#relations(first.parts, scope, [0, ...itemStarts(first.parts)]);
      const name = aliasAt(parts, start + 1).alias ?? '';
      return [{ name, fields: this.#output(first, scope) }];
    }
    const { names, next } = pathAt(parts, start);
    if (names.length === 0) return [];
    const { alias, next: afterAlias } = aliasAt(parts, next);
    const name = alias ?? names.at(-1) ?? '';
    const entry = names.length === 1 ? relationNamed(scope.entries, names[0] ?? '') : undefined;
    if (entry !== undefined) return [{ ...entry, name }];
    const source = this.#source(names);
    if (source !== undefined) {
      return [{ name, fields: fieldsOfSource(source), pseudoFields: pseudoFieldsOf(source), source }];
    }
    const elements = resolvePath(names, scope)?.fields ?? [];
    return [{ name, fields: elements }, ...offsetRelation(parts, afterAlias)];
  }

  #elements(parts: readonly Part[], start: number, scope: Scope): readonly Relation[] {
    const list = parts[start + 1];
    const { names, next: end } =
      list?.kind === 'group' ? pathAt(list.parts, 0) : { names: [], next: Number.NaN };
    const isPath = list?.kind === 'group' && end === list.parts.length;
    const { alias, next } = aliasAt(parts, start + 2);
    const fields = (isPath ? resolvePath(names, scope)?.fields : undefined) ?? [];
    return [...(alias === undefined ? [] : [{ name: alias, fields }]), ...offsetRelation(parts, next)];
  }

  #source(names: readonly string[]): Source | undefined {
    return sourceOfPath(names, this.#known.sources);
  }

  /** The columns of a query. Those of a set operation are named by its first SELECT. */
  #output(query: Group, outer: Scope): readonly Field[] {
    const { entries, rest } = this.#with(query.parts, outer);
    const scope = {
      ...outer,
      entries: [...entries.map(({ relation }) => relation).reverse(), ...outer.entries],
    };
    const [first = []] = selectsIn(rest);
    return this.#columns(first, scope);
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
    return columnsOfList(list, { relations: [...own, ...scope.relations], own });
  }
}

/** The parts of the SELECT around an offset, where set operations join several. */
function selectAt(parts: readonly Part[], offset: number): readonly Part[] {
  const selects = selectsIn(parts);
  return selects.findLast(([first]) => first !== undefined && first.start <= offset) ?? selects[0] ?? [];
}

/** The name that WITH OFFSET gives to the places of elements. */
function offsetRelation(parts: readonly Part[], at: number): readonly Relation[] {
  if (!isWord(parts[at], 'WITH') || !isWord(parts[at + 1], 'OFFSET')) return [];
  return [{ name: aliasAt(parts, at + 2).alias ?? 'offset', fields: [] }];
}

/** The parts of a query before its first pipe operator, and those of each operator. */
function pipeOperators(parts: readonly Part[]): readonly [readonly Part[], ...(readonly Part[])[]] {
  const [query = [], ...operators] = splitAt(parts, '|>');
  return [query, ...operators];
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
  const names = { relations: [...own, ...outer], own };
  const unnamed = (parts: readonly Part[]) => ({ name: '', fields: columnsOfList(parts, names) });
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
