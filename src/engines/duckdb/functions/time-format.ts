import type { Expression } from '../emit/expression.ts';
import { isAllowed, type TimeKind } from '../functions-in-js/time/allowed-elements.ts';
import { formatAnyTime } from '../functions-in-js/time/time-functions.ts';
import { stringLiteral } from '../literal.ts';
import { civilIn } from './zone.ts';

/** What strftime writes as FORMAT_TIMESTAMP does, for years of four digits. By element, in DuckDB's form. */
const strftimeElements: Readonly<Record<string, string>> = {
  ...Object.fromEntries([...'aAbBdHIjmMpSuUwWyVYG%'].map((letter) => [letter, `%${letter}`])),
  ...Object.fromEntries([...'dmHIMSj'].map((letter) => [`-${letter}`, `%-${letter}`])),
  h: '%b',
  F: '%Y-%m-%d',
  T: '%H:%M:%S',
  X: '%H:%M:%S',
  R: '%H:%M',
  D: '%m/%d/%y',
  x: '%m/%d/%y',
  r: '%I:%M:%S %p',
  E4Y: '%Y',
  EY: '%Y',
  E0S: '%S',
  E3S: '%S.%g',
  E6S: '%S.%f',
  n: '\n',
  t: '\t',
};

/** What is the same for every time in UTC. */
const utcElements: Readonly<Record<string, string>> = { Z: 'UTC', z: '+0000', Ez: '+00:00' };

const firstOrdinaryYear = "TIMESTAMP '1001-01-01'";

/**
 * The text of a time as SQL. Formats that strftime knows are its work, the others and early years that of the
 * function in JavaScript.
 *
 * @param time a TIMESTAMP, or another type's values as DuckDB's TIMESTAMP
 * @param zone where an instant is looked at from
 */
export function formatTime(
  format: Expression,
  time: string,
  kind: TimeKind,
  zone: Expression | undefined,
): string {
  const exact = formatAnyTime.call([format.sql, `'${kind}'`, `epoch_us(${time})`, zone?.sql ?? "'UTC'"]);
  if (typeof format.constant !== 'string') return exact;
  const translated = strftimeFormat(format.constant, kind, zone === undefined);
  if (translated === undefined) return exact;
  const fast = `strftime(${civilIn(time, zone)}, ${stringLiteral(translated)})`;
  if (kind === 'TIME') return fast;
  return `CASE WHEN ${time} >= ${firstOrdinaryYear} THEN ${fast} ELSE ${exact} END`;
}

/** The format in DuckDB's form; undefined when it has an element that strftime doesn't know. */
function strftimeFormat(format: string, kind: TimeKind, isUtc: boolean): string | undefined {
  if (format === '' || format.includes('\0')) return undefined;
  let translated = '';
  for (const [text, element] of format.matchAll(/%(E[*0-9]S|E4Y|[-_0^#EO].|.|$)|[^%]+/gs)) {
    if (element === undefined) translated += text;
    else if (!isAllowed(element, kind)) translated += text.replace('%', '%%');
    else {
      const known = strftimeElements[element] ?? (isUtc ? utcElements[element] : undefined);
      if (known === undefined) return undefined;
      translated += known;
    }
  }
  return translated;
}
