/**
 * Fields of resolved nodes that don't affect the meaning of a query, with the reason. Any other populated field must be
 * read by the consumer of the node.
 */
export const meaninglessFields: ReadonlySet<string> = new Set([
  // The node's location in the text.
  'parse_location_range',
  'node_source',
  // How a literal was written. Its type and value are sufficient.
  'has_explicit_type',
  'float_literal_id',
  'preserve_in_literal_remover',
  // The chosen overload. The types of the arguments and of the result determine it.
  'signature',
  'function_call_info',
  // The collation of an expression. Whatever compares values states it as well.
  'type_annotation_map',
  // Columns are found by their id wherever they come from, so correlation needs no list or mark.
  'is_correlated',
  'parameter_list',
  // A scan's summary of its own parts.
  'column_list',
  'column_index_list',
  'is_ordered',
  // A name for diagnostics only: columns are already resolved.
  'alias',
  'field_expr_is_positional',
]);

/**
 * Whether a field of a message has content. Absent, false, zero and empty fields don't, nor do messages that contain
 * nothing else.
 */
export function isPopulated(value: unknown): boolean {
  switch (typeof value) {
    case 'undefined':
      return false;
    case 'boolean':
      return value;
    case 'number':
    case 'bigint':
      return value !== 0 && value !== 0n;
    case 'string':
      return value !== '' && value !== '0';
    case 'object':
      if (value === null) return false;
      if (Array.isArray(value) || ArrayBuffer.isView(value)) return Object.keys(value).length > 0;
      return Object.values(value).some(isPopulated);
    default:
      return true;
  }
}
