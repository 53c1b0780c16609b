import {
  readSettingsComment,
  type SettingsComment,
} from '../../../definitions/endpoints/settings-comment.ts';
import { type QueryText, type QueryToken, queryText } from '../../../sql/editing/query-text.ts';

/** The text of an endpoint's file, as it is in an editor. Offsets are UTF-16 units from the start of the file. */
export interface EndpointText extends QueryText {
  readonly comment: SettingsComment;
}

export function endpointText(file: string, text: string): EndpointText {
  const comment = readSettingsComment(file, text);
  return { ...queryText(text, comment.queryStart), comment };
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
