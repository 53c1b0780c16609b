import type { SchemaPath } from './schema-check.ts';
import type { TableField } from './table-field.ts';
import { isRecordTypeName, scalarTypeName } from './table-field.ts';

/** Called for two fields of one name that can't be the same: their paths in the two lists. */
type OnConflict = (ownPath: SchemaPath, addedPath: SchemaPath) => void;

/**
 * The fields with those that were added. A field in both lists, whatever its letter case, stays as it is in the first one,
 * except for an absent description; the fields of a record are merged. New fields come last in their record.
 */
export function mergeFields(
  own: readonly TableField[],
  added: readonly TableField[],
  onConflict: OnConflict = () => undefined,
): TableField[] {
  return merge(own, added, { onConflict, ownPath: [], addedPath: [] });
}

interface Place {
  readonly onConflict: OnConflict;
  readonly ownPath: SchemaPath;
  readonly addedPath: SchemaPath;
}

function merge(own: readonly TableField[], added: readonly TableField[], place: Place): TableField[] {
  const byName = new Map(added.map((field, index) => [field.name.toLowerCase(), { field, index }]));
  const merged = own.map((field, index) => {
    const other = byName.get(field.name.toLowerCase());
    if (other === undefined) return field;
    byName.delete(field.name.toLowerCase());
    const ownPath = [...place.ownPath, index];
    const addedPath = [...place.addedPath, other.index];
    if (!areCompatible(field, other.field)) {
      place.onConflict(ownPath, addedPath);
      return field;
    }
    // It says what the field is called in events.
    const { description = other.field.description } = field;
    const described = description === undefined ? field : { ...field, description };
    if (!isRecordTypeName(field.type)) return described;
    const inner = { ...place, ownPath: [...ownPath, 'fields'], addedPath: [...addedPath, 'fields'] };
    return { ...described, fields: merge(field.fields ?? [], other.field.fields ?? [], inner) };
  });
  return [...merged, ...[...byName.values()].map(({ field }) => field)];
}

/** The parts of `wanted` that `own` lacks: new fields, in the records that are in both. */
export function missingFields(own: readonly TableField[], wanted: readonly TableField[]): TableField[] {
  const byName = new Map(own.map((field) => [field.name.toLowerCase(), field]));
  return wanted.flatMap((field) => {
    const known = byName.get(field.name.toLowerCase());
    if (known === undefined) return [field];
    if (!isRecordTypeName(known.type) || !areCompatible(known, field)) return [];
    const fields = missingFields(known.fields ?? [], field.fields ?? []);
    const { name, type, mode } = known;
    return fields.length === 0 ? [] : [{ name, type, mode, fields }];
  });
}

/** Whether stored rows of one of them are rows of the other. */
function areCompatible(a: TableField, b: TableField): boolean {
  const isList = ({ mode }: TableField) => mode === 'REPEATED';
  if (isList(a) !== isList(b)) return false;
  if (isRecordTypeName(a.type)) return isRecordTypeName(b.type);
  return scalarTypeName(a.type) === scalarTypeName(b.type) && !isRecordTypeName(b.type);
}
