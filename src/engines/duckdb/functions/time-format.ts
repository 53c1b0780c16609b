import { unsupported } from '../../../sql/resolved/unsupported.ts';
import type { Expression } from '../emit/expression.ts';
import { stringLiteral } from '../literal.ts';
import { offsetText, secondsText, zoneText } from '../macros/time.ts';
import { civilIn } from './zone.ts';

/** Elements that strftime writes as FORMAT_TIMESTAMP does, for years of any number of digits. */
const shared = 'mdHIMSpjaAbBuUwWV';

/** Elements that stand for several others. */
const composed: Readonly<Record<string, string>> = {
  F: '%Y-%m-%d',
  T: '%H:%M:%S',
  X: '%H:%M:%S',
  R: '%H:%M',
  D: '%m/%d/%y',
  x: '%m/%d/%y',
  h: '%b',
  c: '%a %b %e %H:%M:%S %Y',
};

/** What a format element is written from. */
interface Moment {
  readonly instant: string;
  readonly civil: string;
  readonly zone: Expression | undefined;
}

const space2 = (text: string) => `lpad(${text}, 2, ' ')`;

/** Elements that DuckDB lacks or writes otherwise, as SQL that gives their text. */
const own: Readonly<Record<string, (moment: Moment) => string>> = {
  Y: ({ civil }) => `CAST(year(${civil}) AS VARCHAR)`,
  G: ({ civil }) => `CAST(isoyear(${civil}) AS VARCHAR)`,
  y: ({ civil }) => `lpad(CAST(year(${civil}) % 100 AS VARCHAR), 2, '0')`,
  C: ({ civil }) => `CAST(year(${civil}) // 100 AS VARCHAR)`,
  Q: ({ civil }) => `CAST(quarter(${civil}) AS VARCHAR)`,
  e: ({ civil }) => space2(`CAST(day(${civil}) AS VARCHAR)`),
  k: ({ civil }) => space2(`CAST(hour(${civil}) AS VARCHAR)`),
  l: ({ civil }) => space2(`strftime(${civil}, '%-I')`),
  P: ({ civil }) => `lower(strftime(${civil}, '%p'))`,
  s: ({ instant }) => `CAST(CAST(floor(epoch_us(${instant}) / 1000000) AS BIGINT) AS VARCHAR)`,
  Z: ({ instant, zone }) => (zone ? zoneText.call([instant, zone.sql]) : "'UTC'"),
  z: ({ instant, zone }) => (zone ? offsetText.call([instant, zone.sql, "''"]) : "'+0000'"),
  Ez: ({ instant, zone }) => (zone ? offsetText.call([instant, zone.sql, "':'"]) : "'+00:00'"),
  E4Y: ({ civil }) => `lpad(CAST(year(${civil}) AS VARCHAR), 4, '0')`,
  'E*S': ({ civil }) => secondsText.call([civil]),
  n: () => 'chr(10)',
  t: () => 'chr(9)',
  '%': () => "'%'",
};

const element = /%(E[0-6]S|E\*S|E4Y|Ez|[^E])|[^%]+/gsy;

/** The text of a time in a format that is known, as SQL. `zone` is where an instant is looked at from. */
export function formatTime(format: string, instant: string, zone: Expression | undefined): string {
  const moment = { instant, civil: civilIn(instant, zone), zone };
  const parts = [...splitFormat(format)].map((part) => writePart(part, moment));
  return parts.length === 0 ? "''" : `(${parts.join(' || ')})`;
}

/** Text, and elements with their `%`, the composed ones taken apart. */
function* splitFormat(format: string): Generator<string> {
  let end = 0;
  for (const match of format.matchAll(element)) {
    end = match.index + match[0].length;
    const parts = match[1] === undefined ? undefined : composed[match[1]];
    if (parts === undefined) yield match[0];
    else yield* splitFormat(parts);
  }
  if (end < format.length) throw unsupported(`the format element ${format.slice(end, end + 3)}`);
}

function writePart(part: string, moment: Moment): string {
  if (!part.startsWith('%')) return stringLiteral(part);
  const name = part.slice(1);
  if (shared.includes(name)) return `strftime(${moment.civil}, '${part}')`;
  const digits = /^E(\d)S$/.exec(name)?.[1];
  if (digits === '0') return `strftime(${moment.civil}, '%S')`;
  if (digits !== undefined) return `left(strftime(${moment.civil}, '%S.%f'), ${3 + Number(digits)})`;
  const write = own[name];
  if (write === undefined) throw unsupported(`the format element ${part}`);
  return write(moment);
}
