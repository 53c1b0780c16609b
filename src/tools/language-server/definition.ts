import { pathToFileURL } from 'node:url';
import type { Location, Range } from 'vscode-languageserver';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import type { Source } from '../../definitions/sources/source.ts';
import { rangeOfParameter } from './parameter-range.ts';
import { type EndpointText, tokenAt } from './project/endpoint-text.ts';
import { isSameName } from './query/field.ts';
import { pathTo } from './query/name-at.ts';
import { sourceOfPath } from './query/resolve-path.ts';
import { withEntries } from './query/with-entries.ts';

const startOfFile: Range = { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } };

/** Where a name is defined: the file of a source, the settings of a parameter, the entry of a WITH clause. */
export function definitionAt(
  endpoint: EndpointText,
  document: TextDocument,
  offset: number,
  sources: readonly Source[],
): Location | undefined {
  const token = tokenAt(endpoint.tokens, offset);
  if (token === undefined) return undefined;
  const { uri } = document;
  if (token.kind === 'parameter') {
    const wanted = token.text.slice(1);
    const name = [...(endpoint.comment.parameters ?? [])].find(([other]) => isSameName(other, wanted))?.[0];
    if (name === undefined) return undefined;
    return { uri, range: rangeOfParameter(name, endpoint, document) };
  }
  if (token.kind !== 'word' && token.kind !== 'name') return undefined;
  const path = pathTo(endpoint.tokens, token);
  const source = sourceOfPath(path, sources);
  if (source !== undefined) return { uri: pathToFileURL(source.file).href, range: startOfFile };
  if (path.length > 1) return undefined;
  const { entries } = withEntries(endpoint.query.parts);
  const entry = entries.find(({ name }) => isSameName(name, path[0] ?? ''));
  if (entry === undefined) return undefined;
  const { start, end } = entry.token;
  return { uri, range: { start: document.positionAt(start), end: document.positionAt(end) } };
}
