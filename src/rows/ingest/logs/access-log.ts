import type { LogRecord } from './log-record.ts';

const quoted = String.raw`"((?:[^"\\]|\\.)*)"`;

/**
 * https://httpd.apache.org/docs/current/logs.html#common and #combined, perhaps after the name of a virtual host, and with other
 * fields at the end.
 */
const form = new RegExp(
  String.raw`^(?:(\S+) )?(\S+) (\S+) (\S+) \[([^\]]+)\] ${quoted} (\d{3}|-) (\d+|-)(?: ${quoted} ${quoted})?(?: .*)?$`,
);

const request = /^([A-Za-z-]+) (\S.*?)(?: (HTTP\/\d(?:\.\d)?))?$/;

/** Reads a line in the Common or the Combined Log Format. */
export function accessLogRecord(line: string): LogRecord | undefined {
  const [, host, address, ident, user, time, requested, status, size, referrer, agent] =
    form.exec(line) ?? [];
  if (address === undefined || requested === undefined) return undefined;
  const text = unescaped(requested);
  const [, method, path, protocol] = request.exec(text) ?? [];
  return {
    timestamp: time,
    ...(host !== undefined && { virtual_host: host }),
    remote_host: address,
    ...present('ident', ident),
    ...present('user', user),
    ...(method === undefined ? present('path', text) : { method, path, ...(protocol && { protocol }) }),
    ...(status !== '-' && { status: Number(status) }),
    ...(size !== '-' && { size: Number(size) }),
    ...present('referrer', referrer),
    ...present('user_agent', agent),
    event_message: line,
  };
}

function present(name: string, text: string | undefined): LogRecord {
  return text === undefined || text === '-' || text === '' ? {} : { [name]: unescaped(text) };
}

/** Servers write quotes as `\"`, and bytes that can't be printed as `\xhh`. */
function unescaped(text: string): string {
  return text.includes('\\') ? text.replace(/\\(["\\])/g, '$1') : text;
}
