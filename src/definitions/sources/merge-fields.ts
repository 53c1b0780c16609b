import type { TableField } from './table-field.ts';
import { isRecordTypeName, scalarTypeName } from './table-field.ts';

/**
 * The fields with those that were added. A field in both lists, whatever its letter case, stays as it is in the first one,
 * except for an absent description; the fields of a record are merged. New fields come last in their record.
 *
 * @param onConflict called if the two fields of a name have other types or modes
 */
export function mergeFields(
  own: readonly TableField[],
  added: readonly TableField[],
  onConflict: () => void = () => undefined,
): TableField[] {
  const byName = new Map(added.map((field) => [field.name.toLowerCase(), field]));
  const merged = own.map((field) => {
    const other = byName.get(field.name.toLowerCase());
    if (other === undefined) return field;
    byName.delete(field.name.toLowerCase());
    if (!areCompatible(field, other)) {
      onConflict();
      return field;
    }
    // It says what the field is called in events.
    const { description = other.description } = field;
    const described = description === undefined ? field : { ...field, description };
    if (!isRecordTypeName(field.type)) return described;
    return { ...described, fields: mergeFields(field.fields ?? [], other.fields ?? [], onConflict) };
  });
  return [...merged, ...byName.values()];
}

/** The added fields without those that are called otherwise in the source's own file, which says so by `was`. */
export function withoutRenamed(own: readonly TableField[], added: readonly TableField[]): TableField[] {
  const former = new Set(own.map(({ was }) => was?.toLowerCase()));
  return added
    .filter(({ name }) => !former.has(name.toLowerCase()))
    .map((field) => {
      const same = own.find(({ name }) => name.toLowerCase() === field.name.toLowerCase());
      if (same?.fields === undefined || field.fields === undefined) return field;
      return { ...field, fields: withoutRenamed(same.fields, field.fields) };
    });
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
