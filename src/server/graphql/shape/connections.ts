import { typeName } from '../../../base/text/graphql-names.ts';
import type { Plan } from '../../../sql/plan/plan.ts';
import type { TypeNames } from './record-types.ts';
import type { ConnectionShape, EndpointShape } from './shape.ts';

/**
 * An endpoint with the connections to its result and its tables, as far as they can be read in pages.
 *
 * @param queryFields the names of all fields of `Query`; new ones are added
 */
export function withConnections(
  shape: EndpointShape,
  queryFields: Set<string>,
  typeNames: TypeNames,
): EndpointShape {
  const { endpoint, field, tables } = shape;
  const taken = new Set(shape.arguments.map(({ name }) => name));
  const own = connection(endpoint.plan, field, field, { fields: queryFields, taken, typeNames });
  const fields = new Set(tables?.tables.map((table) => table.field));
  return {
    ...shape,
    ...(own && { connection: own }),
    tables: tables && {
      ...tables,
      tables: tables.tables.map((table) => {
        const stem = `${field}${typeName(table.field)}`;
        const names = { fields, taken: new Set<string>(), typeNames };
        const ofTable = connection(table.table.plan, table.field, stem, names);
        return ofTable === undefined ? table : { ...table, connection: ofTable };
      }),
    },
  };
}

interface Names {
  /** The fields beside it; its own is added. */
  readonly fields: Set<string>;
  /** Its other arguments. */
  readonly taken: ReadonlySet<string>;
  readonly typeNames: TypeNames;
}

function connection(
  { paging }: Plan,
  field: string,
  stem: string,
  { fields, taken, typeNames }: Names,
): ConnectionShape | undefined {
  if (paging === undefined || 'refused' in paging) return undefined;
  let name = `${field}Connection`;
  while (fields.has(name)) name += '_';
  fields.add(name);
  const argument = (wanted: string): string => (taken.has(wanted) ? argument(`${wanted}_`) : wanted);
  return {
    field: name,
    typeName: typeNames.claim(typeName(stem, 'Connection')),
    edgeTypeName: typeNames.claim(typeName(stem, 'Edge')),
    first: argument('first'),
    after: argument('after'),
  };
}
