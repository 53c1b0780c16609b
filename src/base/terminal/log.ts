/** What a log line says besides its message. Nothing in it may be a secret. */
export type LogFields = Readonly<Record<string, string | number | boolean>>;

/** The log, in which the program reports to its operator. */
export interface Log {
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
}

/** Everything that could end a line or steer a terminal. */
const controls = /[\p{Cc}\u2028\u2029]/gu;

/** A log that writes warnings and errors as one plain line each, and drops other messages. */
export function plainLog(write: (line: string) => unknown): Log {
  const line =
    (severity: string) =>
    (message: string, fields: LogFields = {}) => {
      const parts = Object.entries(fields).map(([name, value]) => `${name}=${JSON.stringify(value)}`);
      write(`${[`${severity}:`, message, ...parts].join(' ').replace(controls, unicodeEscape)}\n`);
    };
  return { info() {}, warn: line('warning'), error: line('error') };
}

/** The character as JSON can write it. */
export function unicodeEscape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
