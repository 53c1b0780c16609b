/**
 * Fields of resolved nodes that change nothing about what a query means, with the reason. Everything else
 * that is populated has to be read by whoever consumes a node.
 */
export const meaninglessFields: ReadonlySet<string> = new Set([
  // Where the node stands in the text.
  'parse_location_range',
  'node_source',
  // How a literal was written; its type and value say what it is.
  'has_explicit_type',
  'float_literal_id',
  'preserve_in_literal_remover',
  // The overload that was chosen; the types of the arguments and of the result say the same.
  'signature',
  'function_call_info',
  // Columns are found by their id wherever they come from, so correlation needs no list and no mark.
  'is_correlated',
  'parameter_list',
  // A scan's own summary of what its parts say.
  'column_list',
  'column_index_list',
  'is_ordered',
  // A name that only diagnostics use: columns are resolved already.
  'alias',
  'field_expr_is_positional',
]);

/**
 * Whether a field of a message says anything: absent, false, zero and empty fields don't, nor do messages
 * that hold nothing else.
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
