/** A value, a path from one, or a call of a function. */
export type Expression =
  | { readonly kind: 'literal'; readonly value: string | number }
  /** `.Values.a`: from the dot. `$name.a`: from a variable. `$.a`: from the variable with the empty name, the template's dot. */
  | { readonly kind: 'path'; readonly variable: string | undefined; readonly fields: readonly string[] }
  | { readonly kind: 'call'; readonly name: string; readonly args: readonly Expression[] };

const token = /\s*(?:(\$?)(\w*)((?:\.\w+)+|\.)|\$(\w*)|"((?:[^"\\]|\\.)*)"|(\d+)|(\w+)|([()|]))/y;

/** Parses a pipeline: each command gets the value of the one before as its last argument. */
export function parseExpression(text: string): Expression {
  token.lastIndex = 0;
  const trimmed = text.trim();
  const value = pipeline();
  if (token.lastIndex < trimmed.length) throw new Error(`not understood: ${trimmed.slice(token.lastIndex)}`);
  return value;

  function pipeline(): Expression {
    let value: Expression | undefined;
    for (;;) {
      const [first, ...args] = operands();
      if (first === undefined) throw new Error(`a command is missing: ${trimmed}`);
      const all = value === undefined ? args : [...args, value];
      if (all.length > 0 && first.kind !== 'call') throw new Error(`not a function: ${trimmed}`);
      value = first.kind === 'call' ? { ...first, args: [...first.args, ...all] } : first;
      if (!took('|')) return value;
    }
  }

  function operands(): Expression[] {
    const found: Expression[] = [];
    for (;;) {
      const start = token.lastIndex;
      const match = token.exec(trimmed);
      const [, dollar, owner = '', path, variable, string, number, name, sign] = match ?? [];
      if (path !== undefined && (dollar !== '' || owner === '')) {
        const fields = path.split('.').filter((field) => field !== '');
        found.push({ kind: 'path', variable: dollar === '' ? undefined : owner, fields });
      } else if (variable !== undefined) found.push({ kind: 'path', variable, fields: [] });
      else if (string !== undefined) found.push({ kind: 'literal', value: JSON.parse(`"${string}"`) });
      else if (number !== undefined) found.push({ kind: 'literal', value: Number(number) });
      else if (name !== undefined) found.push({ kind: 'call', name, args: [] });
      else if (sign === '(') {
        found.push(pipeline());
        if (!took(')')) throw new Error(`a parenthesis is not closed: ${trimmed}`);
      } else {
        token.lastIndex = start;
        return found;
      }
    }
  }

  function took(expected: string): boolean {
    const start = token.lastIndex;
    if (token.exec(trimmed)?.[8] === expected) return true;
    token.lastIndex = start;
    return false;
  }
}
