import { tokens } from './lexer.ts';
import type { PlacedText } from './place.ts';

/** A CREATE FUNCTION statement. */
export interface FunctionDefinition {
  /** In lower case. */
  readonly name: string;
  /** Without its semicolon. */
  readonly text: string;
}

type Text = Pick<PlacedText, 'sql' | 'functionsEnd'>;

/** The part of a text that defines functions, before its query. Empty without functions. */
export function functionsText({ sql, functionsEnd = 0 }: Text): string {
  return functionsEnd === 0 ? '' : Buffer.from(sql).subarray(0, functionsEnd).toString();
}

/** The definitions with which a text begins. */
export function functionDefinitions(text: Text): readonly FunctionDefinition[] {
  const functions = functionsText(text);
  const found: FunctionDefinition[] = [];
  let start = 0;
  let name: string | undefined;
  let isNext = false;
  for (const token of tokens(functions)) {
    if (isNext) name ??= functions.slice(token.start, token.end).replaceAll('`', '').toLowerCase();
    isNext = token.kind === 'word' && token.text === 'FUNCTION';
    if (token.kind !== 'symbol' || token.text !== ';') continue;
    if (name !== undefined) found.push({ name, text: functions.slice(start, token.start).trim() });
    start = token.end;
    name = undefined;
  }
  return found;
}
