import type { SelectClause } from '../syntax/syntax.ts';
import { parsePath } from './parse-path.ts';
import type { Scanner } from './scanner.ts';

/** Parses what follows `s:`: `('*' | path) ('@' alias)?`. */
export function parseSelect(scanner: Scanner, at: number): SelectClause {
  if (scanner.take(/\*/y)) {
    if (scanner.sees(/@/y)) scanner.fail('* cannot be renamed');
    scanner.expectEnd('');
    return { kind: 'select', path: undefined, at };
  }
  const path = parsePath(scanner);
  if (!scanner.take(/@/y)) {
    scanner.expectEnd('; a field can be followed by @ and another name');
    return { kind: 'select', path, at };
  }
  const [alias] = scanner.take(/[A-Za-z0-9_]+/y) ?? scanner.fail('expected a name of letters, digits and _');
  scanner.expectEnd('; names hold letters, digits and _');
  return { kind: 'select', path, alias, at };
}
