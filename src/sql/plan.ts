import { createHash } from 'node:crypto';
import { deserialize, serialize } from 'node:v8';
import { remembered } from '../remembered.ts';
import type { PlacedText } from './place.ts';
import type { AnyNode } from './resolved/node.ts';
import type { Column, SqlType } from './type.ts';

/**
 * A query that the analyzer has accepted: what an engine needs to run it. It is plain data, which goes to other threads and processes.
 * Its tree, which is nearly all of it, stays packed until an engine needs it: the gateway's event loop never unpacks one.
 */
export interface Plan extends PlacedText {
  /** A digest: plans with the same one are the same. */
  readonly id: string;
  /** The GoogleSQL text, to the byte the one that was analyzed. */
  readonly sql: string;
  /** The analyzer's resolved statement, packed by V8: {@link statementOf} unpacks it. */
  readonly statement: Uint8Array<ArrayBuffer>;
  /** The result columns, in query order. */
  readonly columns: readonly Column[];
  /** The declared parameters and their types, by name as declared. */
  readonly parameters: ReadonlyMap<string, SqlType>;
  /** Whether a caller wrote what stands behind its WITH clause, and may learn of no row but those that the clause gives. */
  readonly isCallers?: boolean;
}

/** What a plan is made of, with its tree unpacked. */
export interface PlanParts extends Omit<Plan, 'id' | 'statement'> {
  readonly statement: AnyNode;
}

export function newPlan({ statement, ...rest }: PlanParts): Plan {
  const packed = serialize(statement);
  const id = createHash('sha256').update(serialize(rest)).update(packed).digest('base64url');
  return { ...rest, id, statement: packed };
}

/** The analyzer's resolved statement. It is unpacked once, which takes up to half a second for the largest. */
export const statementOf = remembered(({ statement }: Plan): AnyNode => deserialize(statement));
