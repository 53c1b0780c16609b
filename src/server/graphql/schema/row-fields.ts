import { type FieldNode, GraphQLError, type GraphQLResolveInfo, Kind, type SelectionSetNode } from 'graphql';
import { parseJsonExactly } from '../../../base/text/exact-json.ts';
import type { UsedFields } from '../../../sql/plan/used-fields.ts';
import type { Row, Value } from '../../../sql/values/value.ts';
import { type FieldShape, itemsNullable, type ObjectShape, type TypeShape } from '../shape/shape.ts';

/** Reads the value of a field from a row, or from a record, by its position. */
export type FieldReader = (row: Row) => unknown;

/**
 * Returns the reader of a field. It throws a GraphQLError QUERY_FAILED at a NULL that the schema rules out: in a column
 * declared as not nullable, or in an array.
 */
export function fieldReader({ index, type, nullable, sqlName }: FieldShape): FieldReader {
  const read = nullableReader(index, type, sqlName);
  if (nullable) return read;
  return (row) => {
    const value = read(row);
    if (value !== null) return value;
    throw failure(
      `The column ${sqlName} is ${nullText(row[index])} in a row, but is declared never to be NULL`,
    );
  };
}

function nullableReader(index: number, type: TypeShape, sqlName: string): FieldReader {
  const formed = form(type.kind === 'list' ? type.of : type, sqlName);
  if (type.kind !== 'list') return formed ? (row) => formed(row[index]) : (row) => row[index] ?? null;
  // A NULL array is an empty list, as on REST.
  const items = (row: Row) => (row[index] ?? []) as readonly Value[];
  if (itemsNullable(type)) return formed ? (row) => items(row).map(formed) : items;
  return (row) => {
    const list = items(row);
    // BigQuery's own wording: it never returns such results.
    if (list.includes(null))
      throw failure(`Array cannot have a null element; error in writing field ${sqlName}`);
    return list;
  };
}

/** Conversions to GraphQL, for the types with values that have no form but null. */
function form(type: TypeShape, sqlName: string): ((value: Value | undefined) => unknown) | undefined {
  if (type.kind !== 'scalar') return undefined;
  if (type.name === 'Int') return (value) => integer(value, 32, sqlName);
  // JSON can't represent NaN and the infinities.
  if (type.name === 'Float') {
    return (value) =>
      typeof value === 'bigint' ? integer(value, 53, sqlName) : Number.isFinite(value) ? value : null;
  }
  if (type.name === 'JSON') return (value) => (typeof value === 'string' ? parseJsonExactly(value) : null);
  return undefined;
}

/** An INT64 as a number. @throws GraphQLError QUERY_FAILED if it is not exactly one: an Int has 32 bits */
function integer(value: Value | undefined, bits: 32 | 53, sqlName: string): number | null {
  if (typeof value !== 'bigint') return null;
  const number = Number(value);
  const fits = bits === 32 ? BigInt.asIntN(32, value) === value : Number.isSafeInteger(number);
  if (fits) return number;
  const type = bits === 32 ? 'Int' : 'Float';
  throw failure(`The column ${sqlName} is ${value} in a row, which "graphqlType: ${type}" can't hold`);
}

function nullText(value: Value | undefined): string {
  if (typeof value === 'number') return String(value);
  return value === 'null' ? "JSON's null" : 'NULL';
}

function failure(message: string): GraphQLError {
  return new GraphQLError(message, { extensions: { code: 'QUERY_FAILED' } });
}

type SelectionSets = readonly (SelectionSetNode | undefined)[];

/**
 * The fields of a row that an operation selects, at a path below the field, such as that of a connection's nodes. Fields of `Query` with the same name are combined, so that those with
 * the same arguments share one query. Directives are ignored: a field that may be skipped counts as selected.
 */
export function selectedFields(
  info: GraphQLResolveInfo,
  row: ObjectShape,
  below: readonly string[] = [],
): UsedFields {
  const { operation, fieldName, path, fragments } = info;
  const isOfQuery = path.prev === undefined;
  const nodes = isOfQuery ? fieldsIn([operation.selectionSet], fragments).get(fieldName) : undefined;
  const sets = below.reduce(
    (outer, name) => setsOf(fieldsIn(outer, fragments).get(name) ?? []),
    setsOf(nodes ?? info.fieldNodes),
  );
  return ofObject(row, sets, fragments);
}

function ofObject(
  { fields }: ObjectShape,
  sets: SelectionSets,
  fragments: GraphQLResolveInfo['fragments'],
): UsedFields {
  const nodes = fieldsIn(sets, fragments);
  const selected = new Map<number, UsedFields>();
  // In the type's order, so that equal selections have equal keys.
  for (const { name, index, type } of fields) {
    const ofName = nodes.get(name);
    if (ofName === undefined) continue;
    const object = objectOf(type);
    selected.set(index, object === undefined ? 'all' : ofObject(object, setsOf(ofName), fragments));
  }
  const isAll = selected.size === fields.length && selected.values().every((uses) => uses === 'all');
  return isAll ? 'all' : selected;
}

function objectOf(type: TypeShape): ObjectShape | undefined {
  if (type.kind === 'list') return objectOf(type.of);
  return type.kind === 'object' ? type.object : undefined;
}

function setsOf(nodes: readonly FieldNode[]): SelectionSets {
  return nodes.map(({ selectionSet }) => selectionSet);
}

/** The fields of selection sets by name, including those of fragments. */
function fieldsIn(sets: SelectionSets, fragments: GraphQLResolveInfo['fragments']): Map<string, FieldNode[]> {
  const fields = new Map<string, FieldNode[]>();
  const spread = new Set<string>();
  const visit = (set: SelectionSetNode | undefined) => {
    for (const selection of set?.selections ?? []) {
      if (selection.kind === Kind.FIELD) {
        const nodes = fields.get(selection.name.value);
        if (nodes === undefined) fields.set(selection.name.value, [selection]);
        else nodes.push(selection);
      } else if (selection.kind === Kind.INLINE_FRAGMENT) visit(selection.selectionSet);
      else if (!spread.has(selection.name.value)) {
        spread.add(selection.name.value);
        visit(fragments[selection.name.value]?.selectionSet);
      }
    }
  };
  sets.forEach(visit);
  return fields;
}
