import { macros } from './install.ts';

/** A call of a function in JavaScript, but of a twin that gives NULL, and of one that fails for want of memory only. */
const callOfJs = /gateway_(?!\w*_or_null\(|claim\()\w+\(/;
const callOfMacro = /gateway\.main\.(\w+)\(/g;

/**
 * Whether SQL calls what may fail and is known to DuckDB as infallible: functions in JavaScript, which there is no way to mark, be
 * it through macros. Everything that SQL raises by itself is a cast, of which DuckDB knows. Texts in the SQL that look like calls
 * count as such.
 */
export function canFailUnforeseen(sql: string): boolean {
  unforeseen ??= macrosWithJs();
  return callsJs(sql, unforeseen);
}

function callsJs(sql: string, names: ReadonlySet<string>): boolean {
  return callOfJs.test(sql) || sql.matchAll(callOfMacro).some(([, name = '']) => names.has(name));
}

let unforeseen: ReadonlySet<string> | undefined;

/** The macros whose bodies call functions in JavaScript, or others of them. */
function macrosWithJs(): ReadonlySet<string> {
  const bodies = macros.flatMap(({ definitions }) => definitions).map(read);
  const names = new Set<string>();
  for (let before = -1; before < names.size; ) {
    before = names.size;
    for (const { name, body } of bodies) if (callsJs(body, names)) names.add(name);
  }
  return names;
}

function read(definition: string): { name: string; body: string } {
  const [, name = '', body = ''] =
    /^CREATE MACRO gateway\.main\.(\w+)\([^)]*\) AS (.*)$/s.exec(definition) ?? [];
  return { name, body };
}
