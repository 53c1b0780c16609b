import { DataType, type Decimal, type Duration, type Field, type Int, type Schema } from 'apache-arrow';
import { FieldNames, sentDescription } from '../../../definitions/sources/sent-name.ts';
import type { TableField } from '../../../definitions/sources/table-field.ts';

const [maxNumericWhole, maxNumericDecimals] = [29, 9];

/** Proposes the fields of a source for an Arrow schema, from its types. */
export function arrowFields(schema: Schema, notes: string[]): TableField[] {
  return recordFields(schema.fields, '', notes);
}

function recordFields(fields: readonly Field[], path: string, notes: string[]): TableField[] {
  const names = new FieldNames([], path === '').assign(fields.map(({ name }) => name));
  return fields.flatMap(({ name: sent, type }): TableField[] => {
    const content = contentOf(type, `${path}${sent}.`, notes);
    if (content === undefined) {
      notes.push(`${path}${sent}: no source has the type ${type}; import refuses rows with a value`);
      return [];
    }
    const name = names.get(sent) ?? sent;
    return [
      { name, mode: 'NULLABLE', ...content, ...(name !== sent && { description: sentDescription(sent) }) },
    ];
  });
}

type Content = Omit<TableField, 'name' | 'mode'> & { readonly mode?: TableField['mode'] };

function contentOf(type: DataType, path: string, notes: string[]): Content | undefined {
  if (DataType.isDictionary(type)) return contentOf(type.dictionary, path, notes);
  if (DataType.isMap(type))
    return {
      type: 'RECORD',
      mode: 'REPEATED',
      fields: recordFields((type.children[0]?.type.children ?? []) as readonly Field[], path, notes),
    };
  if (DataType.isList(type) || DataType.isLargeList(type) || DataType.isFixedSizeList(type)) {
    const [child] = type.children;
    const element = child && contentOf(child.type, path, notes);
    // A list of lists has no other form.
    return element?.mode === 'REPEATED' ? { type: 'JSON' } : element && { ...element, mode: 'REPEATED' };
  }
  if (DataType.isStruct(type)) return { type: 'RECORD', fields: recordFields(type.children, path, notes) };
  if (DataType.isTimestamp(type))
    return { type: 'TIMESTAMP', ...(!type.timezone && { description: 'Without a zone: read as UTC.' }) };
  if (DataType.isDuration(type))
    return { type: 'INT64', description: `A duration in ${durationUnits[(type as Duration).unit]}.` };
  const scalar = scalarType(type);
  return scalar === undefined ? undefined : { type: scalar };
}

/** By the numbers of units. */
const durationUnits = ['seconds', 'milliseconds', 'microseconds', 'nanoseconds'];

function scalarType(type: DataType): string | undefined {
  if (DataType.isBool(type)) return 'BOOL';
  if (DataType.isInt(type)) return integerType(type);
  if (DataType.isFloat(type)) return 'FLOAT64';
  if (DataType.isDecimal(type)) return decimalType(type);
  if (DataType.isDate(type)) return 'DATE';
  if (DataType.isTime(type)) return 'TIME';
  if (
    DataType.isUtf8(type) ||
    DataType.isLargeUtf8(type) ||
    DataType.isUtf8View(type) ||
    DataType.isNull(type)
  )
    return 'STRING';
  if (
    DataType.isBinary(type) ||
    DataType.isLargeBinary(type) ||
    DataType.isBinaryView(type) ||
    DataType.isFixedSizeBinary(type)
  )
    return 'BYTES';
  return undefined;
}

function integerType({ isSigned, bitWidth }: Int): string {
  return isSigned || bitWidth < 64 ? 'INT64' : 'NUMERIC';
}

function decimalType({ precision, scale }: Decimal): string {
  return scale <= maxNumericDecimals && precision - scale <= maxNumericWhole ? 'NUMERIC' : 'BIGNUMERIC';
}
