import {
  readSettingsComment,
  type SettingsComment,
} from '../../../definitions/endpoints/settings-comment.ts';
import { type Group, partsOf, type QueryToken, queryTokens } from '../query/part.ts';

/** The text of an endpoint's file, as it is in an editor. Offsets are UTF-16 units from the start of the file. */
export interface EndpointText {
  readonly text: string;
  readonly comment: SettingsComment;
  readonly tokens: readonly QueryToken[];
  readonly query: Group;
}

export function endpointText(file: string, text: string): EndpointText {
  const comment = readSettingsComment(file, text);
  const tokens = queryTokens(text, comment.queryStart);
  return { text, comment, tokens, query: partsOf(tokens, text.length) };
}

/** The token at an offset, or the one that ends there. */
export function tokenAt(tokens: readonly QueryToken[], offset: number): QueryToken | undefined {
  const index = tokens.findLastIndex(({ start }) => start <= offset);
  const token = tokens[index];
  if (token === undefined || token.end < offset) return undefined;
  // A name before a symbol is what is meant between the two.
  const before = tokens[index - 1];
  return token.kind === 'symbol' && token.start === offset && before?.end === offset ? before : token;
}
