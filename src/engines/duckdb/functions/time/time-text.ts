import type { Value } from '../../../../sql/values/value.ts';
import { stringLiteral } from '../../dialect/literal.ts';
import { inRange } from '../../macros/time.ts';
import type { TimeKind } from '../../udf/time/allowed-elements.ts';
import { parseCivil, parseTimestamp } from '../../udf/time/time-functions.ts';
import { type FunctionEntries, guarded } from '../call/entry.ts';
import type { FunctionCall } from '../call/function-call.ts';
import { formatTime } from './time-format.ts';
import { instantIn, isUtc } from './zone.ts';

const format = (kind: TimeKind) =>
  guarded((call) => {
    const time = call.sql(1);
    const zone = call.optional(2);
    const given = call.arg(1).type.kind;
    // FORMAT_DATE writes the time of a DATETIME as well.
    switch (given === 'DATETIME' ? given : kind) {
      case 'TIME':
        return formatTime(call.arg(0), `(DATE '1970-01-01' + ${time})`, kind, zone);
      case 'DATE':
        return formatTime(call.arg(0), `CAST(${time} AS TIMESTAMP)`, kind, zone);
      default:
        return formatTime(
          call.arg(0),
          time,
          kind === 'DATE' ? 'DATETIME' : kind,
          zone !== undefined && isUtc(zone) ? undefined : zone,
        );
    }
  });

/** The elements in the usual texts of dates and times, as regular expressions. */
const usualElements: Readonly<Record<string, string>> = {
  Y: '[1-9]\\d{3}',
  m: '\\d\\d',
  d: '\\d\\d',
  H: '\\d\\d',
  M: '\\d\\d',
  S: '[0-5]\\d',
};

const usualFormats = /^(?:%Y[-/]?%m[-/]?%d|%[dm][-/]%[dm][-/]%Y)(?:[ T]?%H:?%M(?::?(?:%S|%E[*]S|%E6S))?)?Z?$/;

interface UsualFormat {
  /** In DuckDB's form, with and without a fraction. */
  readonly formats: readonly string[];
  readonly pattern: string;
  readonly hasTime: boolean;
}

/** A format that DuckDB parses identically, provided that all numbers have all their digits. */
function usualFormat(format: Value | undefined): UsualFormat | undefined {
  if (typeof format !== 'string') return undefined;
  const spelled = format.replaceAll('%F', '%Y-%m-%d').replaceAll('%T', '%H:%M:%S').replaceAll('%R', '%H:%M');
  if (!usualFormats.test(spelled) || /%d.%d|%m.%m/.test(spelled)) return undefined;
  const plain = spelled.replace(/%E[*6]S/, '%S');
  const hasFraction = plain !== spelled;
  const pattern = plain.replace(/%(.)/g, (_, element: string) =>
    element === 'S' && hasFraction ? '[0-5]\\d(?:\\.\\d{1,6})?' : (usualElements[element] ?? ''),
  );
  const formats = hasFraction ? [plain.replace('%S', '%S.%f'), plain] : [plain];
  return { formats, pattern: `^${pattern}$`, hasTime: spelled.includes('%H') };
}

/** DuckDB parses what it can. The function in JavaScript parses the rest, and reports errors. */
function parse(call: FunctionCall, kind: TimeKind): string {
  const [text, zone] = [call.sql(1), call.optional(2)];
  const exact =
    kind === 'TIMESTAMP'
      ? parseTimestamp.call([call.sql(0), text, zone?.sql ?? "'UTC'"], call.safe)
      : parseCivil.call([call.sql(0), text, `'${kind}'`], call.safe);
  const read = `make_timestamp(${exact})`;
  const usual = kind === 'TIME' ? undefined : usualFormat(call.arg(0).constant?.value);
  if (usual === undefined || (kind === 'DATE' && usual.hasTime)) return read;
  const formats = usual.formats.map(stringLiteral).join(', ');
  const fast = `CAST(try_strptime(${text}, [${formats}]) AS TIMESTAMP)`;
  const value = kind === 'TIMESTAMP' ? inRange.call([instantIn(fast, zone)], call.safe) : fast;
  return `CASE WHEN regexp_matches(${text}, ${stringLiteral(usual.pattern)}) AND ${fast} IS NOT NULL THEN ${value} ELSE ${read} END`;
}

export const timeTextFunctions: FunctionEntries = {
  format_timestamp: format('TIMESTAMP'),
  format_datetime: format('DATETIME'),
  format_date: format('DATE'),
  format_time: format('TIME'),
  parse_timestamp: guarded((call) => parse(call, 'TIMESTAMP')),
  parse_datetime: guarded((call) => parse(call, 'DATETIME')),
  parse_date: guarded((call) => `CAST(${parse(call, 'DATE')} AS DATE)`),
  parse_time: guarded((call) => `CAST(${parse(call, 'TIME')} AS TIME)`),
};
