import { type DocumentSymbol, SymbolKind } from 'vscode-languageserver';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import { formatType } from '../sql/type.ts';
import type { EndpointText } from './project/endpoint-text.ts';
import { isSymbol, isWord, type Part, type QueryToken } from './query/part.ts';
import { textOf } from './query/scope.ts';

/** An entry of the query's WITH clause: its name, and where its text ends. */
export interface EntryPlace {
  readonly name: string;
  readonly token: QueryToken;
  readonly end: number;
}

/** The entries of the WITH clause that a query begins with. */
export function entryPlaces({ query: { parts } }: Pick<EndpointText, 'query'>): readonly EntryPlace[] {
  const places: EntryPlace[] = [];
  const start = parts.findIndex((part) => isWord(part, 'WITH'));
  if (start < 0) return [];
  let next = isWord(parts[start + 1], 'RECURSIVE') ? start + 2 : start + 1;
  for (;;) {
    const token: Part | undefined = parts[next];
    const body = parts[next + 2];
    if (token === undefined || token.kind === 'group' || !isWord(parts[next + 1], 'AS')) return places;
    if (body?.kind !== 'group') return places;
    places.push({ name: textOf(token), token, end: body.end + 1 });
    if (!isSymbol(parts[next + 3], ',')) return places;
    next += 4;
  }
}

/** The parameters and the entries of the WITH clause of an endpoint, for an outline. */
export function symbolsOf(endpoint: EndpointText, document: TextDocument): DocumentSymbol[] {
  const parameters = [...(endpoint.comment.parameters ?? [])].map(([name, type]): DocumentSymbol => {
    const { line, column } = endpoint.comment.locate(['parameters', name]);
    const start = { line: line - 1, character: column - 1 };
    const range = { start, end: { ...start, character: start.character + name.length } };
    return {
      name: `@${name}`,
      detail: formatType(type),
      kind: SymbolKind.Variable,
      range,
      selectionRange: range,
    };
  });
  const entries = entryPlaces(endpoint).map(({ name, token, end }): DocumentSymbol => {
    const start = document.positionAt(token.start);
    return {
      name,
      kind: SymbolKind.Class,
      range: { start, end: document.positionAt(end) },
      selectionRange: { start, end: document.positionAt(token.end) },
    };
  });
  return [...parameters, ...entries];
}
