import { type AnyNode, asList, asMessage } from './node.ts';

/** The ids of a scan's columns. */
export function columnIds(scan: AnyNode): string[] {
  return messages(fieldsOf(scan), 'column_list').map(idOf);
}

/** The id of a column. */
export function idOf(column: unknown): string {
  return String(asMessage(column, 'column').column_id);
}

/** The fields of a node and of its base types. */
export function fieldsOf(node: AnyNode): AnyNode {
  return isPresent(node.parent) ? { ...fieldsOf(asMessage(node.parent, 'parent')), ...node } : node;
}

/** A field that is a message. */
export function messageOf(node: AnyNode, field: string): AnyNode {
  return asMessage(node[field], field);
}

/** A field that is a list of messages. */
export function messages(node: AnyNode, field: string): AnyNode[] {
  return asList(node[field], field).map((each) => asMessage(each, field));
}

/** Whether a field was received. */
export function isPresent(value: unknown): boolean {
  return value !== undefined && value !== null;
}
