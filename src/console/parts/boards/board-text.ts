import { type Document, isMap, isScalar, isSeq, parseDocument, stringify } from 'yaml';
import type { BoardFile } from '../../api/boards.ts';

type Value = Parameters<Document['createNode']>[0];

/**
 * The text of a board's file. What has not changed since the text before stays as it was written there, with its comments.
 *
 * @param before undefined for a new board
 */
export function boardText(board: BoardFile, before: string | undefined): string {
  const value = written(board);
  if (before === undefined) return stringify(value, { lineWidth: 0 });
  const document = parseDocument(before);
  if (!isMap(document.contents)) return stringify(value, { lineWidth: 0 });
  update(document, [], value);
  return document.toString({ lineWidth: 0, flowCollectionPadding: false });
}

/** Without what is absent, and without what is so by default. */
function written({ variables, ...board }: BoardFile): object {
  const hasVariables = Object.keys(variables).length > 0;
  return JSON.parse(JSON.stringify({ ...board, ...(hasVariables && { variables }) }));
}

/** Changes what differs from a value, and leaves all else as it is. */
function update(document: Document, path: readonly (string | number)[], value: Value): void {
  const node = path.length === 0 ? document.contents : document.getIn(path, true);
  const now = plain(node);
  if (JSON.stringify(asTexts(now)) === JSON.stringify(asTexts(value))) return;
  if (isMap(node) && typeof value === 'object' && value !== null && !Array.isArray(value)) {
    const members = Object.entries(value);
    const known = Object.keys(Object(now));
    for (const key of known) if (!members.some(([name]) => name === key)) document.deleteIn([...path, key]);
    for (const [key, member] of members) update(document, [...path, key], member);
    return;
  }
  if (isSeq(node) && Array.isArray(value)) {
    const extra = node.items.length - value.length;
    for (let count = 0; count < extra; count++) document.deleteIn([...path, value.length]);
    for (const [index, item] of value.entries()) update(document, [...path, index], item);
    return;
  }
  // A scalar keeps the comment behind it.
  if (isScalar(node) && typeof value === 'string') node.value = value;
  else document.setIn(path, document.createNode(value));
}

function plain(node: unknown): Value {
  if (typeof node !== 'object' || node === null || !('toJSON' in node)) return node;
  return typeof node.toJSON === 'function' ? node.toJSON() : undefined;
}

/** Values of parameters are texts, whatever the file writes. */
function asTexts(value: Value): Value {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (Array.isArray(value)) return value.map(asTexts);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .map(([key, member]) => [key, asTexts(member)] as const)
      .sort(([one], [other]) => (one < other ? -1 : 1)),
  );
}
