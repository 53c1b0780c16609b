import { unicodeEscape } from './log.ts';

/** Characters that act on a terminal, or change the order in which others are shown. */
const acting = /[\p{Cc}\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

const short: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** A text on one line, in which control characters are escaped: rows and files may contain what steers a terminal. */
export function visibleText(text: string): string {
  return text.replace(acting, (character) => short[character] ?? unicodeEscape(character));
}

/** What GitHub's runner skips before `::`. It compares texts without characters that have no width. */
const commandAtStart = /^[\s\p{Cf}]*(?=::)/u;

/**
 * A line that GitHub's runner does not take for one of its commands: names and rows may contain what looks
 * like one. `::` acts at the start of a line, after blanks; `##[` acts anywhere.
 *
 * Source: https://github.com/actions/runner/blob/main/src/Runner.Common/ActionCommand.cs
 */
export function withoutCommand(line: string): string {
  return line.replace(commandAtStart, '$&· ').replaceAll('##[', '##\\u005b');
}
