import { type Field, fieldOfType, isSameName } from './field.ts';
import { afterFrom, isFromClause } from './item-starts.ts';
import { isSymbol, isWord, type Part } from './part.ts';
import { element, itemsOf, nameOf, pathAt } from './read-parts.ts';
import type { Relation } from './relation.ts';
import { resolvePath } from './resolve-path.ts';

interface ReadNames {
  /** Those that expressions can name. */
  readonly relations: readonly Relation[];
  /** Those that `*` stands for. */
  readonly own: readonly Relation[];
}

/** The list between SELECT and the next clause. Undefined if the parts have no SELECT. */
export function selectList(parts: readonly Part[]): readonly Part[] | undefined {
  const select = parts.findIndex((part) => isWord(part, 'SELECT'));
  if (select < 0) return undefined;
  const end = parts.findIndex(
    (part, index) => index > select && (isFromClause(parts, index) || isWord(part, ...afterFrom)),
  );
  return parts.slice(select + 1, end < 0 ? undefined : end);
}

/** The columns of a list as that of SELECT. Those without a name are left out. */
export function columnsOfList(list: readonly Part[], names: ReadNames): readonly Field[] {
  return itemsOf(list).flatMap((item) => columnsOfItem(item, names));
}

function columnsOfItem(item: readonly Part[], { relations, own }: ReadNames): readonly Field[] {
  const parts = isWord(item[0], 'DISTINCT', 'ALL') ? item.slice(1) : item;
  const { names, next } = pathAt(parts, 0);
  const resolved = resolvePath(names, { relations });
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
}

function renamed(field: Field | undefined, name: string): Field {
  return field === undefined ? fieldOfType(name, undefined) : { ...field, name };
}
