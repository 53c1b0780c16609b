import { hash } from 'node:crypto';
import { deserialize } from 'node:v8';
import { packed } from './packed.ts';
import type { PlacedText } from './place.ts';
import type { AnyNode } from './resolved/node.ts';
import type { Column, SqlType } from './type.ts';

/** What a plan is made of. */
export interface PlanParts extends PlacedText {
  /** The GoogleSQL text, to the byte the one that was analyzed. */
  readonly sql: string;
  /** The analyzer's resolved statement. */
  readonly statement: AnyNode;
  /** The result columns, in query order. */
  readonly columns: readonly Column[];
  /** The declared parameters and their types, by name as declared. */
  readonly parameters: ReadonlyMap<string, SqlType>;
  /** Whether a caller wrote what stands behind its WITH clause, and may learn of no row but those that the clause gives. */
  readonly isCallers: boolean;
}

/**
 * A query that the analyzer has accepted: what an engine needs to run it. It is plain data, which goes to other threads and processes.
 * The tree, which is nearly all of it, stays packed until an engine needs it: the gateway's event loop never unpacks one.
 */
export interface Plan extends Omit<PlanParts, 'statement'> {
  /** A digest: plans with the same one are the same. */
  readonly id: string;
  /** Its parts as V8 packs them: {@link unpackPlan} makes the same plan of them, and {@link statementOf} gives the tree. */
  readonly packed: Uint8Array;
}

const statements = new WeakMap<Plan, AnyNode>();

/** Makes a plan of its parts, and packs them. */
export function newPlan(parts: PlanParts): Plan {
  const { statement: _, ...rest } = parts;
  const { id, bytes } = packed(parts);
  return { ...rest, id, packed: bytes };
}

/** The plan that was packed. */
export function unpackPlan(packed: Uint8Array): Plan {
  const { statement, ...rest } = deserialize(packed) as PlanParts;
  const plan = { ...rest, id: hash('sha256', packed, 'base64url'), packed };
  statements.set(plan, statement);
  return plan;
}

/** The analyzer's resolved statement. It is unpacked once, which takes up to half a second for the largest. */
export function statementOf(plan: Plan): AnyNode {
  let statement = statements.get(plan);
  if (statement === undefined) {
    ({ statement } = deserialize(plan.packed) as PlanParts);
    statements.set(plan, statement);
  }
  return statement;
}
