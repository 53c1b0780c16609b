import { macros } from './install.ts';

/** Claims are short, and most queries have them for rows that never come. */
const jsCall = /\bgateway_(?!claim(?:_or_null)?\()/;
const macroCall = /\bgateway\.main\.\w+(?=\()/g;

/** The names of the macros that call functions in JavaScript. */
const namesOverJs = new Set<string>();
for (let before = -1; before < namesOverJs.size; ) {
  before = namesOverJs.size;
  for (const [name, body] of macros.flatMap((macro) => macro.bodies))
    if (callsJs(body)) namesOverJs.add(name);
}

/** Whether SQL calls functions in JavaScript, other than claims. A text that only looks like a call counts, too. */
export function callsJs(sql: string): boolean {
  return jsCall.test(sql) || sql.matchAll(macroCall).some(([name]) => namesOverJs.has(name));
}
