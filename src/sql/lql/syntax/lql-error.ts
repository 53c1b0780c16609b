import { GatewayError } from '../../../base/errors/errors.ts';

/** Longer lines are shortened. */
const shownWidth = 120;

/**
 * The error for an LQL text: the message, the position, and an excerpt.
 *
 * @param at UTF-16 units from the start of the text
 */
export function lqlError(text: string, at: number, message: string): GatewayError {
  const before = text.slice(0, at).split(/\r\n|\n|\r/);
  const column = characters(before.at(-1) ?? '') + 1;
  const location = { line: before.length, column };
  const position = `[at ${location.line}:${column}]`;
  return new GatewayError('BAD_USER_INPUT', `LQL: ${message} ${position}\n${picture(text, at)}`, {
    parameter: 'lql',
    location,
  });
}

/** The line at the position, with a caret under it. */
function picture(text: string, at: number): string {
  const lineStart = Math.max(text.lastIndexOf('\n', at - 1), text.lastIndexOf('\r', at - 1)) + 1;
  const rest = text.slice(lineStart).search(/[\r\n]/);
  const line = rest < 0 ? text.slice(lineStart) : text.slice(lineStart, lineStart + rest);
  const column = at - lineStart;
  const start = column > shownWidth ? column - shownWidth / 2 : 0;
  const shown = line
    .slice(start, start + shownWidth)
    .replace(/\p{Cc}/gu, ' ')
    .toWellFormed();
  return `${shown}\n${' '.repeat(characters(line.slice(start, column)))}^`;
}

/** Columns count characters, not UTF-16 units. */
function characters(text: string): number {
  return [...text].length;
}

const maxShownLength = 60;

/** A caller's text as shown in errors. */
export function shortened(text: string): string {
  return text.length > maxShownLength ? `${text.slice(0, maxShownLength).toWellFormed()}…` : text;
}
