import { microsOfText } from '../encode/time-of-text.ts';
import type { LogReader, LogRecord } from './log-record.ts';
import { nextName } from './next-name.ts';
import { otherZone } from './other-zone.ts';

const facilities =
  'kern user mail daemon auth syslog lpr news uucp cron authpriv ftp ntp audit alert clock local0 local1 local2 local3 local4 local5 local6 local7'.split(
    ' ',
  );
const severities = ['emerg', 'alert', 'crit', 'err', 'warning', 'notice', 'info', 'debug'];

/** https://www.rfc-editor.org/rfc/rfc5424#section-6 */
const modern =
  /^<(\d{1,3})>1 (\S+) (\S+) (\S+) (\S+) (\S+) (-|(?:\[(?:[^\]\\"]|"(?:[^"\\]|\\.)*"|\\.)*\])+)(?: (.*))?$/s;

/** https://www.rfc-editor.org/rfc/rfc3164#section-4, or with a whole time as rsyslog writes it. The files of systems have no `<n>`. */
const traditional = new RegExp(
  String.raw`^(?:<(\d{1,3})>)?((?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) [ \d]?\d(?: \d{4})? \d\d:\d\d:\d\d(?:\.\d{1,6})?|\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:?\d\d))(?!${otherZone}) (\S+) (?:([^\s:[\]]+)(?:\[([^\]]*)\])?: ?)?(.*)$`,
  's',
);

/**
 * A reader of syslog, both RFC 5424 and RFC 3164. Of the latter, a time without a year is in the last year in which it isn't after
 * the end of the file.
 *
 * @param end when the file was last changed
 */
export function syslogReader(end: Date): LogReader {
  return (line) => modernRecord(line) ?? traditionalRecord(line, end);
}

function modernRecord(line: string): LogRecord | undefined {
  const [, priority, time, host, app, process, id, data, message] = modern.exec(line) ?? [];
  if (priority === undefined || data === undefined) return undefined;
  return {
    ...present('timestamp', time),
    ...ofPriority(priority),
    ...present('host', host),
    ...present('app_name', app),
    ...present('process_id', process),
    ...present('message_id', id),
    ...(data !== '-' && { structured_data: structured(data) }),
    event_message: (message ?? '').replace(/^\uFEFF/, ''),
  };
}

function traditionalRecord(line: string, end: Date): LogRecord | undefined {
  const [, priority, time, host, app, process, message] = traditional.exec(line) ?? [];
  if (time === undefined) return undefined;
  return {
    timestamp: withYear(time, end),
    ...(priority !== undefined && ofPriority(priority)),
    ...present('host', host),
    ...present('app_name', app),
    ...present('process_id', process),
    event_message: message,
  };
}

function present(name: string, text: string | undefined): LogRecord {
  return text === undefined || text === '-' || text === '' ? {} : { [name]: text };
}

function ofPriority(priority: string): LogRecord {
  const number = Number(priority);
  return { facility: facilities[number >> 3] ?? String(number >> 3), severity: severities[number & 7] };
}

/** `[id name="value"]` as an object of objects. */
function structured(data: string): LogRecord {
  const elements: Record<string, unknown> = Object.create(null);
  for (const [, id = '', parameters = ''] of data.matchAll(
    /\[([^\s\]]+)((?:[^\]\\"]|"(?:[^"\\]|\\.)*")*)\]/gs,
  )) {
    const pairs = [...parameters.matchAll(/(\S+?)="((?:[^"\\]|\\.)*)"/gs)];
    const element: Record<string, unknown> = Object.create(null);
    for (const [, name = '', value = ''] of pairs)
      element[nextName(element, name)] = value.replace(/\\(["\\\]])/g, '$1');
    elements[nextName(elements, id)] = element;
  }
  return elements;
}

const dayMs = 86_400_000;

function withYear(time: string, end: Date): string {
  const [, month, day, year, clock] = /^(\w{3}) ([ \d]?\d)(?: (\d{4}))? (\S+)$/.exec(time) ?? [];
  if (month === undefined) return time;
  const inYear = (number: number | string) => `${month} ${day?.trim().padStart(2, '0')} ${clock} ${number}`;
  if (year !== undefined) return inYear(year);
  const latest = BigInt(end.getTime() + dayMs) * 1000n;
  // The 29th of February isn't in every year.
  for (let back = 0; back < 8; back++) {
    const candidate = inYear(end.getUTCFullYear() + 1 - back);
    const micros = microsOfText(candidate);
    if (micros !== undefined && micros <= latest) return candidate;
  }
  return time;
}
