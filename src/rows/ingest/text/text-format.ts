import { delimiterOf } from '../csv/delimiter.ts';
import { isCsvName } from '../csv/is-csv-name.ts';
import { accessLogRecord } from '../logs/access-log.ts';
import type { LogReader } from '../logs/log-record.ts';
import { logfmtRecord } from '../logs/logfmt.ts';
import { beginsWithTime, plainLineReader } from '../logs/plain-lines.ts';
import { syslogReader } from '../logs/syslog.ts';

/** The forms of text files: JSON (NDJSON, an array or objects), CSV, the Common and Combined Log Format, and so on. */
export const textFormats = ['json', 'csv', 'clf', 'logfmt', 'syslog', 'lines'] as const;

export type TextFormat = (typeof textFormats)[number];

/** A form of logs, in which each line is a row. */
export type LogFormat = Exclude<TextFormat, 'json' | 'csv'>;

/** Its name for people. */
export const formatNames: Readonly<Record<TextFormat, string>> = {
  json: 'JSON',
  csv: 'CSV',
  clf: 'the Common or Combined Log Format',
  logfmt: 'logfmt',
  syslog: 'syslog',
  lines: 'plain lines',
};

/** @param end when the file was last changed: see `syslogReader` */
export function logReader(format: LogFormat, end: Date): LogReader {
  if (format === 'clf') return accessLogRecord;
  if (format === 'logfmt') return logfmtRecord;
  return format === 'syslog' ? syslogReader(end) : plainLineReader();
}

/** The lines from which the format is recognized, and the share of them that must have it. */
const maxLines = 50;
const minShare = 0.8;

/**
 * The form of a text file, by its name or else by its first lines.
 *
 * @param head the beginning of the text
 * @param isWhole whether it is the whole text
 */
export function formatOf(head: string, name: string, isWhole: boolean): TextFormat {
  if (isCsvName(name)) return 'csv';
  if (/\.(?:nd)?jsonl?(?:\.(?:gz|zst))?$/i.test(name) || beginsJson(head)) return 'json';
  const all = head.replace(/^\uFEFF/, '').split(/\r?\n/);
  const lines = (isWhole ? all : all.slice(0, -1)).filter((line) => line.trim() !== '').slice(0, maxLines);
  if (lines.length === 0) return 'json';
  const areMost = (is: (line: string) => boolean) => lines.filter(is).length >= minShare * lines.length;
  const syslog = syslogReader(new Date(0));
  if (areMost((line) => accessLogRecord(line) !== undefined)) return 'clf';
  if (
    areMost(
      (line) =>
        /^(?:<\d|[A-Z]|\d{4}-)/.test(line) && syslog(line)?.event_message !== undefined && isSyslog(line),
    )
  )
    return 'syslog';
  if (areMost((line) => isLogfmt(line))) return 'logfmt';
  return !areMost(beginsWithTime) && isTable(lines) ? 'csv' : 'lines';
}

/** An array of something, and not a line such as `[2024-05-01 10:00:00] started`. */
function beginsJson(head: string): boolean {
  return /^\s*(?:\{|\[\s*(?:[[{"\]]|$|(?:true|false|null|-?\d[\d.eE+-]*)\s*[,\]]))/.test(
    head.replace(/^\uFEFF/, ''),
  );
}

/** Without `<n>` and with a whole time, other logs look like it: they need the name of a program. */
function isSyslog(line: string): boolean {
  return !/^\d{4}-/.test(line) || /^\S+ \S+ [^\s:[\]]+(?:\[\d*\])?: /.test(line);
}

function isLogfmt(line: string): boolean {
  const keys = line.match(/(?:^|\s)[\w.@/-]+=(?:"|\S)/g) ?? [];
  return keys.length >= 2 && /^\s*[\w.@/-]+=/.test(line) && logfmtRecord(line) !== undefined;
}

/** Whether all lines have as many cells as the first, whose cells look like names. */
function isTable([header = '', ...rows]: readonly string[]): boolean {
  const delimiter = delimiterOf(header);
  const cells = (line: string) => line.replace(/"(?:[^"]|"")*"/g, '').split(delimiter).length;
  const names = header.split(delimiter).map((name) => name.trim().replace(/^"(.*)"$/, '$1'));
  const areNames = names.every(
    (name) => /^[\p{L}_][^\n]{0,60}$/u.test(name) && !/[.:;!?]\s|[.!?]$/.test(name),
  );
  if (names.length < 2 || !areNames || new Set(names).size < names.length || rows.length === 0) return false;
  return rows.every((row) => cells(row) === names.length);
}
