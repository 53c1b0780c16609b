import { type Document, isAlias, isCollection, isPair, isScalar, type Node } from 'yaml';

/** What a test file has although its YAML is correct. */
interface YamlFault {
  readonly offset: number;
  readonly text: string;
}

/** How many values aliases repeat at most. Thousands of cases can share their rows, but aliases within aliases that multiply can't. */
const maxRepeated = 2_000_000;

/** The time to resolve an alias grows with the number of these. */
const maxReferences = 20_000;

/**
 * The first reason why the values of a YAML document can't be read: an alias without an anchor, one within what it stands
 * for, aliases that repeat too much, or a key that is no ordinary property in JavaScript.
 */
export function yamlFault(document: Document): YamlFault | undefined {
  const walk = new Walk();
  walk.visit(document.contents);
  return walk.fault;
}

class Walk {
  readonly #anchored = new Map<string, Node>();
  /** The numbers of values in the anchored nodes that have ended, with those that aliases repeat in them. */
  readonly #sizes = new Map<Node, number>();
  #values = 0;
  #repeated = 0;
  #references = 0;
  fault: YamlFault | undefined;

  visit(node: unknown): void {
    if (isAlias(node)) this.#alias(node);
    else if (isPair(node)) {
      this.#key(node.key);
      this.visit(node.key);
      this.visit(node.value);
    } else if (isScalar(node) || isCollection(node)) {
      const before = this.#values;
      if (node.anchor !== undefined) {
        this.#anchored.set(node.anchor, node);
        this.#reference(node);
      }
      this.#values += 1;
      if (isCollection(node)) for (const item of node.items) this.visit(item);
      if (node.anchor !== undefined) this.#sizes.set(node, this.#values - before);
    }
  }

  #alias(alias: Node & { readonly source: string }): void {
    this.#reference(alias);
    const meant = this.#anchored.get(alias.source);
    const size = meant === undefined ? undefined : this.#sizes.get(meant);
    if (meant === undefined) this.#found(alias, `there is no anchor &${alias.source} before this alias`);
    else if (size === undefined)
      this.#found(alias, 'an alias is within what it stands for, which would have no end');
    this.#values += size ?? 0;
    this.#repeated += size ?? 0;
    if (this.#repeated > maxRepeated)
      this.#found(
        alias,
        `with this alias, aliases repeat more than ${maxRepeated.toLocaleString('en')} values. Write fewer of them, or put rows into a file`,
      );
  }

  #key(key: unknown): void {
    const meant = isAlias(key) ? this.#anchored.get(key.source) : key;
    if (isScalar(meant) && meant.value === '__proto__')
      this.#found(
        key as Node,
        'a test file has no key "__proto__": give the column or parameter another name',
      );
  }

  #reference(node: Node): void {
    this.#references += 1;
    if (this.#references > maxReferences)
      this.#found(
        node,
        `more than ${maxReferences.toLocaleString('en')} anchors and aliases. Divide the file, or put rows into a file`,
      );
  }

  #found(node: Node, text: string): void {
    this.fault ??= { offset: node.range?.[0] ?? 0, text: `YAML: ${text}` };
  }
}
