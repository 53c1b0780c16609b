import type { Expression } from '../../dialect/expression.ts';
import { stringLiteral } from '../../dialect/literal.ts';
import { floorDivide } from '../../macros/numbers.ts';
import { isAllowed, type TimeKind } from '../../udf/time/allowed-elements.ts';
import { formatAnyTime } from '../../udf/time/time-functions.ts';
import { civilIn } from './zone.ts';

/** Elements for which strftime equals FORMAT_TIMESTAMP in years of four digits, in DuckDB's form. */
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

/** Elements that are constant in UTC. */
const utcElements: Readonly<Record<string, string>> = { Z: 'UTC', z: '+0000', Ez: '+00:00' };

/** Text, and elements with their `%`. */
const elements = /%(E[*0-9]S|E4Y|[-_0^#EO].|.|$)|[^%]+/gs;

const firstOrdinaryYear = "TIMESTAMP '1001-01-01'";

/**
 * Formats a time in SQL. strftime handles the formats that it supports. The function in JavaScript handles the others,
 * and early years.
 *
 * @param time a TIMESTAMP, or another type's values as DuckDB's TIMESTAMP
 * @param zone the time zone for an instant
 */
export function formatTime(
  format: Expression,
  time: string,
  kind: TimeKind,
  zone: Expression | undefined,
): string {
  const exact = () =>
    formatAnyTime.call([format.sql, `'${kind}'`, `epoch_us(${time})`, zone?.sql ?? "'UTC'"]);
  const known = format.constant?.value;
  if (typeof known !== 'string') return exact();
  const fast = fastFormat(known, kind, time, zone);
  if (fast === undefined) return exact();
  if (kind === 'TIME') return fast;
  return `CASE WHEN ${time} >= ${firstOrdinaryYear} THEN ${fast} ELSE ${exact()} END`;
}

/** Longer formats, in characters, use the function, which checks the result's length first. */
const longestFastFormat = 1_000;

const dayOfMonth = (civil: string) => `lpad(strftime(${civil}, '%-d'), 2, ' ')`;

/** Elements that strftime formats differently, as SQL. */
const ownElements: Readonly<Record<string, (civil: string, time: string) => string>> = {
  e: dayOfMonth,
  k: (civil) => `lpad(strftime(${civil}, '%-H'), 2, ' ')`,
  l: (civil) => `lpad(strftime(${civil}, '%-I'), 2, ' ')`,
  P: (civil) => `lower(strftime(${civil}, '%p'))`,
  Q: (civil) => `CAST(quarter(${civil}) AS VARCHAR)`,
  C: (civil) => `CAST(year(${civil}) // 100 AS VARCHAR)`,
  s: (_, time) => `CAST(${floorDivide.call([`epoch_us(${time})`, '1000000'])} AS VARCHAR)`,
  'E*S': (civil) => `rtrim(rtrim(strftime(${civil}, '%S.%f'), '0'), '.')`,
};

/** SQL for a format in ordinary years. Undefined if the format is long, or has an element that needs the function. */
function fastFormat(
  format: string,
  kind: TimeKind,
  time: string,
  zone: Expression | undefined,
): string | undefined {
  if (format === '' || format.length > longestFastFormat || format.includes('\0')) return undefined;
  const civil = civilIn(time, zone);
  const parts: string[] = [];
  let run = '';
  const flush = () => {
    if (run !== '') parts.push(`strftime(${civil}, ${stringLiteral(run)})`);
    run = '';
  };
  for (const [text, element] of format.matchAll(elements)) {
    if (element === undefined) run += text;
    else if (!isAllowed(element, kind)) run += text.replace('%', '%%');
    else if (element === 'c') {
      run += '%a %b ';
      flush();
      parts.push(dayOfMonth(civil));
      run += ' %H:%M:%S %Y';
    } else {
      const known = strftimeElements[element] ?? (zone === undefined ? utcElements[element] : undefined);
      const own = ownElements[element];
      if (known !== undefined) run += known;
      else if (own === undefined) return undefined;
      else {
        flush();
        parts.push(own(civil, time));
      }
    }
  }
  flush();
  return parts.length === 1 ? parts[0] : `(${parts.join(' || ')})`;
}
