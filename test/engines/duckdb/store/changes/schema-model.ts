/** A column in the model: it stays the same object through renames, removals and returns. */
export interface Node {
  readonly uid: number;
  readonly name: string;
  /** A record has fields. */
  readonly type: LeafType | 'RECORD';
  readonly mode: 'NULLABLE' | 'REPEATED';
  readonly fields: readonly Node[];
}

/** All of them can hold the small integers of the model. */
export const leafTypes = ['INT64', 'FLOAT64', 'NUMERIC', 'BIGNUMERIC', 'STRING'] as const;
export type LeafType = (typeof leafTypes)[number];

/** A value by the uids of its record's fields; those of hidden fields are kept. Leaves are integers. */
export type ModelValue = null | number | ModelRecord | ModelValue[];
export interface ModelRecord {
  [uid: number]: ModelValue | undefined;
}

export interface ModelRow {
  readonly id: string;
  readonly values: ModelRecord;
}

/** A stream of numbers that a seed determines. */
export class Chance {
  #state: number;

  constructor(seed: number) {
    this.#state = seed * 2654435761 + 1;
  }

  /** From 0 to below `n`. */
  below(n: number): number {
    this.#state = (Math.imul(this.#state, 1664525) + 1013904223) >>> 0;
    return Math.floor((this.#state / 2 ** 32) * n);
  }

  pick<T>(items: readonly T[]): T {
    return items[this.below(items.length)] as T;
  }
}

let lastUid = 0;

export function newNode(chance: Chance, name: string, depth = 0): Node {
  const uid = ++lastUid;
  const mode = chance.pick(['NULLABLE', 'NULLABLE', 'REPEATED'] as const);
  if (depth < 2 && chance.below(3) === 0) {
    const fields = Array.from({ length: 1 + chance.below(3) }, (_, i) => newNode(chance, `f${i}`, depth + 1));
    return { uid, name, type: 'RECORD', mode, fields };
  }
  return { uid, name, type: chance.pick(leafTypes), mode, fields: [] };
}

/** A random value of a column, as the model has it. */
export function randomValue(chance: Chance, node: Node): ModelValue {
  if (node.mode !== 'REPEATED') return chance.below(3) === 0 ? null : randomElement(chance, node);
  return Array.from({ length: chance.pick([0, 1, 1, 2, 3]) }, () => randomElement(chance, node));
}

function randomElement(chance: Chance, node: Node): ModelValue {
  if (node.type !== 'RECORD') return chance.below(1000) - 300;
  return Object.fromEntries(node.fields.map((field) => [field.uid, randomValue(chance, field)]));
}

/** A value in the store's own form of rows. */
export function rowValue(node: Node, value: ModelValue | undefined): unknown {
  if (node.mode === 'REPEATED') return listOf(value).map((element) => rowElement(node, element));
  return value === null || value === undefined ? null : rowElement(node, value);
}

function rowElement({ type, fields }: Node, value: ModelValue): unknown {
  if (type === 'RECORD')
    return Object.fromEntries(
      fields.map((field) => [field.name, rowValue(field, recordOf(value)[field.uid])]),
    );
  return type === 'STRING' || type === 'NUMERIC' || type === 'BIGNUMERIC' ? String(value) : value;
}

/** A value as a decoded row has it. */
export function shownValue(node: Node, value: ModelValue | undefined): unknown {
  if (node.mode === 'REPEATED') return listOf(value).map((element) => shownElement(node, element));
  return value === null || value === undefined ? null : shownElement(node, value);
}

function shownElement({ type, fields }: Node, value: ModelValue): unknown {
  if (type === 'RECORD') return fields.map((field) => shownValue(field, recordOf(value)[field.uid]));
  return type === 'INT64' ? BigInt(Number(value)) : type === 'FLOAT64' ? value : String(value);
}

function listOf(value: ModelValue | undefined): readonly ModelValue[] {
  if (value === null || value === undefined) return [];
  return Array.isArray(value) ? value : [value];
}

function recordOf(value: ModelValue): ModelRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};
}

/** What becomes of a value when its column goes from one form to another. Undefined if it can't. */
export function follow(
  before: Node | undefined,
  after: Node,
  value: ModelValue | undefined,
): ModelValue | undefined {
  const list = listOf(value);
  const inner = (element: ModelValue): ModelValue | undefined => {
    if (after.type !== 'RECORD') return element;
    const record = { ...recordOf(element) };
    for (const field of after.fields) {
      const old = before?.fields.find(({ uid }) => uid === field.uid);
      const next = follow(old, field, record[field.uid]);
      if (next === undefined) return undefined;
      record[field.uid] = next;
    }
    return record;
  };
  const elements = list.map(inner);
  if (elements.some((element) => element === undefined)) return undefined;
  if (after.mode === 'REPEATED') return elements as ModelValue[];
  return elements.length > 1 ? undefined : ((elements[0] ?? null) as ModelValue);
}
