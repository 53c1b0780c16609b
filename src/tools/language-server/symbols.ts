import { type DocumentSymbol, SymbolKind } from 'vscode-languageserver';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import { formatType } from '../../sql/values/type.ts';
import { rangeOfParameter } from './parameter-range.ts';
import type { EndpointText } from './project/endpoint-text.ts';
import { withEntries } from './query/with-entries.ts';

/** The parameters and the entries of the WITH clause of an endpoint, for an outline. */
export function symbolsOf(endpoint: EndpointText, document: TextDocument): DocumentSymbol[] {
  const parameters = [...(endpoint.comment.parameters ?? [])].map(([name, type]): DocumentSymbol => {
    const range = rangeOfParameter(name, endpoint, document);
    return {
      name: `@${name}`,
      detail: formatType(type),
      kind: SymbolKind.Variable,
      range,
      selectionRange: range,
    };
  });
  const { entries } = withEntries(endpoint.query.parts);
  const ofEntries = entries.map(({ name, token, body }): DocumentSymbol => {
    const start = document.positionAt(token.start);
    return {
      name,
      kind: SymbolKind.Class,
      range: { start, end: document.positionAt(body.end + 1) },
      selectionRange: { start, end: document.positionAt(token.end) },
    };
  });
  return [...parameters, ...ofEntries];
}
