import { type Expression, parseExpression } from './expression.ts';

export type Node =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'print'; readonly value: Expression }
  | Branch;

interface Branch {
  readonly kind: 'if' | 'with' | 'range';
  readonly value: Expression;
  /** Of `range`: those of the key and the value. */
  readonly variables: readonly string[];
  readonly body: readonly Node[];
  readonly otherwise: readonly Node[];
}

/** A parsed file: what it prints, and the templates that it defines. */
interface Parsed {
  readonly nodes: readonly Node[];
  readonly defined: ReadonlyMap<string, readonly Node[]>;
}

/**
 * Parses the part of Go's templates that the chart uses: https://pkg.go.dev/text/template
 *
 * @throws Error for other forms
 */
export function parseTemplate(source: string): Parsed {
  // Texts and actions in turn. A `-` at the border of an action takes the white space beside it.
  const pieces = source
    .replace(/\s*\{\{- /g, '{{ ')
    .replace(/ -\}\}\s*/g, ' }}')
    .split(/\{\{(.*?)\}\}/s);
  const defined = new Map<string, readonly Node[]>();
  let at = 0;

  /** Reads nodes until `end` or `else`, with which it stops. */
  function block(): { nodes: Node[]; stop: string } {
    const nodes: Node[] = [];
    for (;;) {
      nodes.push({ kind: 'text', text: pieces[at++] ?? '' });
      if (at === pieces.length) return { nodes, stop: '' };
      const action = pieces[at++]?.trim() ?? '';
      const [, word = '', rest = ''] = /^(\w*)\s*(.*)$/s.exec(action) ?? [];
      if (word === 'end' || word === 'else') return { nodes, stop: action };
      if (word === 'define') defined.set(JSON.parse(rest), block().nodes);
      else if (word === 'if' || word === 'with' || word === 'range') nodes.push(branch(word, rest));
      else nodes.push({ kind: 'print', value: parseExpression(action) });
    }
  }

  function branch(kind: Branch['kind'], head: string): Branch {
    const [, names = '', value = ''] = /^(?:(\$.*?):=)?(.*)$/s.exec(head) ?? [];
    const { nodes: body, stop } = block();
    const [, again] = /^else if (.*)$/s.exec(stop) ?? [];
    const otherwise = again !== undefined ? [branch('if', again)] : stop === 'else' ? block().nodes : [];
    const variables = [...names.matchAll(/\$(\w+)/g)].map(([, name = '']) => name);
    return { kind, value: parseExpression(value), variables, body, otherwise };
  }

  const { nodes, stop } = block();
  if (stop !== '') throw new Error(`{{ ${stop} }} belongs to nothing`);
  return { nodes, defined };
}
