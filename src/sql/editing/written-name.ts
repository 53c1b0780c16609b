import { identifier, reserved } from '../text/identifier.ts';

/** A name as a query writes it: quoted, if it must be. */
export function writtenName(name: string): string {
  return /^[A-Za-z_]\w*$/.test(name) && !reserved.has(name.toUpperCase()) ? name : identifier(name);
}

/** The name of a table, which can have dots. BigQuery takes quotes around all of it. */
export function writtenTable(name: string): string {
  return name.split('.').every((part) => writtenName(part) === part) ? name : identifier(name);
}
