import type { MessageFilter } from '../syntax.ts';
import { parseQuoted } from './parse-quoted.ts';
import type { Scanner } from './scanner.ts';

const word = /(?:\\"|[A-Za-z0-9._!%$^\\+[\]?(){}#&*,\-/<=>@;|])+/y;

/** Reads a word or a quoted text that the message contains, or behind `~` a regular expression that it matches. */
export function parseMessage(scanner: Scanner): MessageFilter {
  const match = scanner.take(/~/y) ? 'regexp' : 'contains';
  if (scanner.sees(/"/y)) {
    const text = parseQuoted(scanner);
    scanner.expectEnd(' behind the quote');
    return { kind: 'message', match, text };
  }
  const [text] =
    scanner.take(word) ?? scanner.fail('expected a word; text with other characters is written in "quotes"');
  scanner.expectEnd('; text with other characters is written in "quotes"');
  return { kind: 'message', match, text };
}
