import { type FieldNode, type GraphQLResolveInfo, Kind, type SelectionSetNode } from 'graphql';
import type { UsedFields } from '../../../sql/plan/tree-nodes.ts';
import type { ObjectShape, TypeShape } from '../shape/shape.ts';

type SelectionSets = readonly (SelectionSetNode | undefined)[];

/**
 * The fields of a row that an operation selects. Fields of `Query` with the same name are combined, so that those with
 * the same arguments share one query. Directives are ignored: a field that may be skipped counts as selected.
 */
export function selectedFields(info: GraphQLResolveInfo, row: ObjectShape): UsedFields {
  const { operation, fieldName, path, fragments } = info;
  const isOfQuery = path.prev === undefined;
  const nodes = isOfQuery ? fieldsIn([operation.selectionSet], fragments).get(fieldName) : undefined;
  return ofObject(row, setsOf(nodes ?? info.fieldNodes), fragments);
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
