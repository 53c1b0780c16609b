import { hash } from 'node:crypto';
import { serialize } from 'node:v8';
import type { PlacedText } from './place.ts';
import type { AnyNode } from './resolved/node.ts';
import type { Column, SqlType } from './type.ts';

/**
 * A query that the analyzer has accepted: what an engine needs to run it. It is plain data, which `v8.serialize` packs; an unpacked
 * one is as good.
 */
export interface Plan extends PlacedText {
  /** A digest: plans with the same one are the same. */
  readonly id: string;
  /** How many bytes it has when it is packed. */
  readonly size: number;
  /** The GoogleSQL text, to the byte the one that was analyzed. */
  readonly sql: string;
  /** The analyzer's resolved statement. */
  readonly statement: AnyNode;
  /** The result columns, in query order. */
  readonly columns: readonly Column[];
  /** The declared parameters and their types, by name as declared. */
  readonly parameters: ReadonlyMap<string, SqlType>;
  /** Whether a caller wrote what stands behind its WITH clause, and may learn of no row but those that the clause gives. */
  readonly isCallers?: boolean;
}

/** Makes a plan of what it consists of. */
export function newPlan(parts: Omit<Plan, 'id' | 'size'>): Plan {
  const packed = serialize(parts);
  return { ...parts, id: hash('sha256', packed, 'base64url'), size: packed.length };
}
