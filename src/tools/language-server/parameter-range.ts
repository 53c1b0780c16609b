import type { Range } from 'vscode-languageserver';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import type { EndpointText } from './project/endpoint-text.ts';

/** Where the settings declare a parameter: its name, without quotes. */
export function rangeOfParameter(
  name: string,
  { text, comment }: Pick<EndpointText, 'text' | 'comment'>,
  document: TextDocument,
): Range {
  const key = comment.offsetOf(['parameters', name]);
  const start = /["']/.test(text.charAt(key)) ? key + 1 : key;
  return { start: document.positionAt(start), end: document.positionAt(start + name.length) };
}
