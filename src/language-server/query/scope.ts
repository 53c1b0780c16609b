import type { Source } from '../../sources/source.ts';
import type { Column } from '../../sql/type.ts';
import { type Field, fieldOfType, fieldsOfSource, isSameName, pseudoFieldsOf, typedBy } from './field.ts';
import { type Group, isSymbol, isWord, type Part, type QueryToken } from './part.ts';
import { aliasAt, isQuery, itemsOf, nameOf, pathAt, selectsIn } from './read-parts.ts';
import { type Relation, relationNamed } from './relation.ts';
import { resolvePath, sourceOfPath } from './resolve-path.ts';
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

/** Words that end a FROM clause. */
const afterFrom = ['WHERE', 'GROUP', 'HAVING', 'QUALIFY', 'WINDOW', 'ORDER', 'LIMIT', 'SELECT', 'WITH'];

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
    const relations = this.#relations(selectAt(rest, offset), own);
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

  /** The names of the FROM clause among the parts of one SELECT. */
  #relations(parts: readonly Part[], outer: Scope): readonly Relation[] {
    const found: Relation[] = [];
    let isInFrom = false;
    for (const [index, part] of parts.entries()) {
      if (isWord(part, 'FROM')) isInFrom = true;
      else if (isWord(part, ...afterFrom)) isInFrom = false;
      else if (!isInFrom || !(isWord(part, 'JOIN') || isSymbol(part, ','))) continue;
      if (!isInFrom) continue;
      found.push(...this.#item(parts, index + 1, { ...outer, relations: [...found, ...outer.relations] }));
    }
    return found;
  }

  #item(parts: readonly Part[], start: number, scope: Scope): readonly Relation[] {
    const first = parts[start];
    if (isWord(first, 'UNNEST')) return this.#elements(parts, start, scope);
    if (first?.kind === 'group') {
      if (!isQuery(first)) return this.#relations([fromWord, ...first.parts], scope);
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
    if (first[0]?.kind === 'group' && isQuery(first[0])) return this.#output(first[0], scope);
    const own = this.#relations(first, scope);
    const select = first.findIndex((part) => isWord(part, 'SELECT'));
    if (select < 0) return own.flatMap(({ fields }) => fields);
    const from = first.findIndex((part, index) => index > select && isWord(part, 'FROM'));
    const inner = { ...scope, relations: [...own, ...scope.relations] };
    return itemsOf(first.slice(select + 1, from < 0 ? undefined : from)).flatMap((item) =>
      outputOf(item, inner, own),
    );
  }
}

const fromWord: QueryToken = { kind: 'word', text: 'FROM', written: 'FROM', start: 0, end: 0 };

/** The parts of the SELECT around an offset, where set operations join several. */
function selectAt(parts: readonly Part[], offset: number): readonly Part[] {
  const selects = selectsIn(parts);
  return selects.findLast(([first]) => first !== undefined && first.start <= offset) ?? selects[0] ?? [];
}

/** The columns of an item of a SELECT list. */
function outputOf(item: readonly Part[], scope: Scope, own: readonly Relation[]): readonly Field[] {
  const parts = isWord(item[0], 'DISTINCT', 'ALL') ? item.slice(1) : item;
  const { names, next } = pathAt(parts, 0);
  const star = names.length === 0 ? 0 : next;
  if (isSymbol(parts[star], '*') && (star === 0 || isSymbol(parts[star - 1], '.'))) {
    const all = star === 0 ? own.flatMap(({ fields }) => fields) : (resolvePath(names, scope)?.fields ?? []);
    const except = isWord(parts[star + 1], 'EXCEPT') ? parts[star + 2] : undefined;
    const left = except?.kind === 'group' ? except.parts.flatMap((part) => nameOf(part) ?? []) : [];
    return all.filter(({ name }) => !left.some((other) => isSameName(name, other)));
  }
  if (names.length > 0 && next === parts.length) {
    return [renamed(resolvePath(names, scope), names.at(-1) ?? '')];
  }
  const alias = parts.length > 1 ? nameOf(parts.at(-1)) : undefined;
  if (alias === undefined) return [];
  const expression = parts.slice(0, isWord(parts.at(-2), 'AS') ? -2 : -1);
  return [renamed(next === expression.length ? resolvePath(names, scope) : undefined, alias)];
}

function renamed(field: Field | undefined, name: string): Field {
  return field === undefined ? fieldOfType(name, undefined) : { ...field, name };
}

/** The name that WITH OFFSET gives to the places of elements. */
function offsetRelation(parts: readonly Part[], at: number): readonly Relation[] {
  if (!isWord(parts[at], 'WITH') || !isWord(parts[at + 1], 'OFFSET')) return [];
  return [{ name: aliasAt(parts, at + 2).alias ?? 'offset', fields: [] }];
}
