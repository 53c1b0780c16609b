import { isLevelName, isStatusName } from '../../../parts/level/level.ts';
import type { Facet } from './exploration.ts';
import { type ExploredTable, isComparable, lastName, type Reached } from './explored-table.ts';

/** Fields that are likely to tell rows apart, by the last word of their names, the best first. */
const telling = [
  /^project$|^tenant$|^service(_?name)?$|^app(lication)?$/,
  /^method$|^operation$|^command(_?tag)?$|^action$/,
  /^path$|^route$|^endpoint$/,
  /^event(_?type|_?name)?$|^type$|^kind$|^name$/,
  /^host(name)?$|^country$|^region$|^role$|^user(_?name)?$/,
];
const shownAtFirst = 5;

/** The field that says how serious rows are: of levels, else of statuses; the one further out. */
export function levelField({ fields }: Pick<ExploredTable, 'fields'>): Reached | undefined {
  const byDepth = fields.toSorted((one, other) => depth(one) - depth(other));
  const named = (test: (name: string) => boolean) =>
    byDepth.find(({ path, type }) => (type === 'STRING' || type === 'INT64') && test(lastName(path)));
  return named(isLevelName) ?? named(isStatusName);
}

/** The facets of a table that nobody has chosen any of. */
export function likelyFacets(table: ExploredTable): readonly Facet[] {
  const level = levelField(table);
  const found = telling.flatMap((name) =>
    table.fields
      .filter(({ path, type }) => type === 'STRING' && name.test(lastName(path).toLowerCase()))
      .toSorted((one, other) => depth(one) - depth(other))
      .slice(0, 1),
  );
  const some = [...(level === undefined ? [] : [level]), ...found];
  const all = some.length > 0 ? some : table.fields.filter(({ type }) => isComparable(type));
  return all.slice(0, shownAtFirst).map(({ path }) => facetOf(path));
}

/** A facet of a field: paths begin with their areas. */
export function facetOf(path: string): Facet {
  return { path, parts: hasParts(path) ? 1 : 0 };
}

/** Whether the texts of a field are likely to be paths, such as `/rest/v1/users`. */
export function hasParts(path: string): boolean {
  return /(^|_)(path|route|uri|url)(name)?$/i.test(lastName(path));
}

/** Whether a value is an id by which rows belong together. */
export function isId(path: string, value: string): boolean {
  if (value === '' || value.length > 200) return false;
  const name = lastName(path).replace(/([a-z])([A-Z])/g, '$1_$2');
  return (
    /(^|[_-])(id|uuid|guid|ray|traceparent)$/i.test(name) ||
    /^[\da-f]{8}-([\da-f]{4}-){3}[\da-f]{12}$/i.test(value)
  );
}

function depth({ path }: Reached): number {
  return path.split('.').length;
}
