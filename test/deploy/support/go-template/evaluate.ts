import type { Expression } from './expression.ts';
import { functions, isTrue } from './functions.ts';
import type { Node } from './parse.ts';

interface Scope {
  readonly dot: unknown;
  readonly variables: ReadonlyMap<string, unknown>;
}

/**
 * Prints a template.
 *
 * @param defined all templates that `include` finds
 * @throws Error for unknown functions and templates, absent values that would be printed, and what the template refuses
 */
export function evaluate(
  nodes: readonly Node[],
  defined: ReadonlyMap<string, readonly Node[]>,
  data: unknown,
): string {
  return print(nodes, { dot: data, variables: new Map([['', data]]) });

  function print(all: readonly Node[], scope: Scope): string {
    return all.map((node) => printNode(node, scope)).join('');
  }

  function printNode(node: Node, scope: Scope): string {
    if (node.kind === 'text') return node.text;
    const value = computed(node.value, scope);
    if (node.kind === 'print') {
      if (value === undefined || value === null) throw new Error(`no value: ${JSON.stringify(node.value)}`);
      return String(value);
    }
    if (!isTrue(value)) return print(node.otherwise, scope);
    if (node.kind === 'if') return print(node.body, scope);
    if (node.kind === 'with') return print(node.body, { ...scope, dot: value });
    const entries = Object.entries(Object(value));
    // Go goes through the keys of a map in their order.
    if (!Array.isArray(value)) entries.sort(([a], [b]) => (a < b ? -1 : 1));
    return entries
      .map(([key, dot]) => {
        const named = [key, dot].slice(-node.variables.length || 2);
        const own = node.variables.map((name, at) => [name, named[at]] as const);
        return print(node.body, { dot, variables: new Map([...scope.variables, ...own]) });
      })
      .join('');
  }

  function computed(expression: Expression, scope: Scope): unknown {
    if (expression.kind === 'literal') return expression.value;
    if (expression.kind === 'path') return at(expression, scope);
    const args = expression.args.map((arg) => computed(arg, scope));
    if (expression.name === 'include') return include(String(args[0]), args[1]);
    const call = functions[expression.name];
    if (call === undefined) throw new Error(`an unknown function: ${expression.name}`);
    return call(...args);
  }

  function at({ variable, fields }: Expression & { kind: 'path' }, { dot, variables }: Scope): unknown {
    if (variable !== undefined && !variables.has(variable))
      throw new Error(`an unknown variable: $${variable}`);
    let value = variable === undefined ? dot : variables.get(variable);
    for (const field of fields) {
      if (typeof value !== 'object' || value === null) throw new Error(`nothing to take ${field} from`);
      value = Reflect.get(value, field);
    }
    return value;
  }

  function include(name: string, data: unknown): string {
    const template = defined.get(name);
    if (template === undefined) throw new Error(`an unknown template: ${name}`);
    return evaluate(template, defined, data);
  }
}
