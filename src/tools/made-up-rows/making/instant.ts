/** An instant as text: ISO 8601 in UTC with microseconds. */
export function isoMicros(micros: number): string {
  const millis = Math.floor(micros / 1000);
  const rest = String(micros - millis * 1000).padStart(3, '0');
  return `${new Date(millis).toISOString().slice(0, -1)}${rest}Z`;
}

/** An instant to the second, as in JSON logs: `2026-05-04T03:02:01Z`. */
export function isoSeconds(micros: number): string {
  return `${new Date(micros / 1000).toISOString().slice(0, 19)}Z`;
}

/** An instant in the form of the HTTP header `date`. */
export function httpDate(micros: number): string {
  return new Date(micros / 1000).toUTCString();
}

/** An instant in the form of a PostgreSQL server's log: `2026-05-04 03:02:01.123 UTC`. */
export function postgresTime(micros: number): string {
  return `${new Date(micros / 1000).toISOString().slice(0, 23).replace('T', ' ')} UTC`;
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** An instant in the form of access logs: `04/May/2026:03:02:01 +0000`. */
export function accessLogTime(micros: number): string {
  const text = new Date(micros / 1000).toISOString();
  const month = months[Number(text.slice(5, 7)) - 1];
  return `${text.slice(8, 10)}/${month}/${text.slice(0, 4)}:${text.slice(11, 19)} +0000`;
}
