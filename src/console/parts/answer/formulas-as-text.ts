import { isDecimal } from '../table/numeric.ts';

/** What spreadsheets take for the beginning of a formula (OWASP, CSV Injection). */
const formula = /^[=+\-@\t\r]/;

/**
 * A CSV file whose cells spreadsheets don't run: those that begin like a formula get an apostrophe before them. Numbers keep theirs:
 * `-1` is no formula.
 */
export function formulasAsText(csv: string): string {
  // A cell in quotes, with doubled quotes within; or one without. RFC 4180.
  return csv.replace(/"(?:[^"]|"")*"|[^",\r\n]+/g, (cell) => {
    const isQuoted = cell.startsWith('"');
    const text = isQuoted ? cell.slice(1, -1) : cell;
    if (!formula.test(text) || isNumber(text)) return cell;
    return isQuoted ? `"'${text}"` : `'${text}`;
  });
}

function isNumber(text: string): boolean {
  return isDecimal(text) || /^-?\d+(\.\d+)?[eE][+-]?\d+$/.test(text) || text === '-Infinity';
}
