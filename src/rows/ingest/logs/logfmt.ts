import type { LogRecord } from './log-record.ts';
import { nextName } from './next-name.ts';

const pair = /\s*([^\s="]+)(?:=(?:"((?:[^"\\]|\\.)*)"|([^\s"]*)))?(?=\s|$)/y;

const timeNames = ['timestamp', 'time', 'ts', '@timestamp', 't'];
const messageNames = ['event_message', 'message', 'msg'];

/**
 * Reads a line of `key=value` pairs, as https://brandur.org/logfmt describes. Values are texts, and a key without one is `true`.
 * A key again has the next number: `a_2`. Without a message, the line is the message.
 */
export function logfmtRecord(line: string): LogRecord | undefined {
  const record: Record<string, string | null> = Object.create(null);
  let pairs = 0;
  pair.lastIndex = 0;
  while (pair.lastIndex < line.length) {
    const rest = line.slice(pair.lastIndex);
    if (rest.trim() === '') break;
    const [, key, text, bare] = pair.exec(line) ?? [];
    if (key === undefined) return undefined;
    if (text !== undefined || bare !== undefined) pairs += 1;
    const value = text === undefined ? (bare ?? 'true') : unescaped(text);
    // `a=` says that there is no value.
    if (value === '' && text === undefined) record[key] ??= null;
    else record[record[key] === null ? key : nextName(record, key)] = value;
  }
  if (pairs === 0) return undefined;
  const time = timeNames.find((name) => typeof record[name] === 'string');
  const message = messageNames.find((name) => typeof record[name] === 'string');
  const { [time ?? '']: timestamp, [message ?? '']: said, ...others } = record;
  return { ...(typeof timestamp === 'string' && { timestamp }), event_message: said ?? line, ...others };
}

const escapes: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' };

function unescaped(text: string): string {
  return text.includes('\\') ? text.replace(/\\(.)/g, (_, sign: string) => escapes[sign] ?? sign) : text;
}
