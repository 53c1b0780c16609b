import { hash } from 'node:crypto';
import { deserialize } from 'node:v8';
import { type AnyNode, asList, asMessage } from '../resolved/node.ts';
import type { PlacedText } from '../text/place.ts';
import { packed } from '../values/packed.ts';
import type { Column, SqlType } from '../values/type.ts';
import type { Paging } from './paging.ts';
import { calledFunction, changingFunctions, nodesOf, resolvedLeaves, visitFields } from './tree-nodes.ts';

/** What the result of a query depends on, besides its parameters. */
interface Dependencies {
  /** The stored tables that it reads, by their full names. */
  readonly tables: readonly string[];
  /** Whether it can change although no row does: with the time, or by chance. */
  readonly changesByItself: boolean;
}

const entryList = 'with_entry_list';
const leaves: ReadonlySet<string> = new Set([...resolvedLeaves, entryList]);

/** The dependencies of a resolved statement. Entries of WITH clauses that are never read make no difference. */
function dependenciesOf(statement: AnyNode): Dependencies {
  const entries = new Map(
    nodesOf('resolved_with_scan_node', statement)
      .flatMap((scan) => asList(scan[entryList], entryList))
      .map((entry) => asMessage(entry, entryList))
      .map((entry) => [String(entry.with_query_name), entry.with_subquery]),
  );
  const tables = new Set<string>();
  let changesByItself = false;
  const seen = new Set<string>();
  const pending: unknown[] = [statement];
  while (pending.length > 0) {
    const part = pending.pop();
    const references: string[] = [];
    visitFields(part, leaves, (field, value) => {
      if (field === 'resolved_table_scan_node') {
        const { name, full_name } = asMessage(asMessage(value, field).table, 'table');
        tables.add(String(full_name || name));
      } else if (field === 'resolved_with_ref_scan_node') {
        references.push(String(asMessage(value, field).with_query_name));
      } else if (field === 'resolved_function_call_node') {
        changesByItself ||= changingFunctions.has(calledFunction(asMessage(value, field)));
      }
    });
    for (const name of references) {
      if (seen.has(name)) continue;
      seen.add(name);
      pending.push(entries.get(name));
    }
  }
  return { tables: [...tables], changesByItself };
}

/** The parts of a plan. */
export interface PlanParts extends PlacedText {
  /** The exact GoogleSQL text that was analyzed. */
  readonly sql: string;
  /** The analyzer's resolved statement. */
  readonly statement: AnyNode;
  /** The result columns, in query order. */
  readonly columns: readonly Column[];
  /** The declared parameters and their types, by declared name. */
  readonly parameters: ReadonlyMap<string, SqlType>;
  /**
   * Whether a caller wrote the text after the WITH clause. Such a query must not reveal other rows than those of the
   * clause.
   */
  readonly isCallers: boolean;
  /** The total order of its rows, in which they can be read in pages. If absent, it can't. */
  readonly paging?: Paging;
}

/**
 * A query that the analyzer has accepted: what an engine needs to run it. It is plain data, which is sent to other
 * threads and processes. The tree, nearly all of it, stays serialised until an engine needs it: the gateway's event
 * loop never deserialises one.
 */
export interface Plan extends Omit<PlanParts, 'statement'>, Dependencies {
  /** A digest: plans with the same id are equal. */
  readonly id: string;
  /** Its parts, serialised by V8. {@link unpackPlan} restores the plan, and {@link statementOf} the tree. */
  readonly packed: Uint8Array;
}

const statements = new WeakMap<Plan, AnyNode>();

/** Makes a plan from its parts, and serialises them. */
export function newPlan(parts: PlanParts): Plan {
  const { statement, ...rest } = parts;
  const known = { ...rest, ...dependenciesOf(statement) };
  const { id, bytes } = packed({ ...known, statement });
  return { ...known, id, packed: bytes };
}

/** Restores a serialised plan. */
export function unpackPlan(packed: Uint8Array): Plan {
  const { statement, ...rest } = deserialize(packed) as PlanParts & Dependencies;
  const id = hash('sha256', packed, 'base64url');
  const plan = { ...rest, id, packed };
  statements.set(plan, statement);
  return plan;
}

/**
 * The plan as another object. What reads its tree once should read that of a copy: a tree takes a hundred times the memory of its
 * text, and stays as long as the plan it was read of.
 */
export function withOwnTree(plan: Plan): Plan {
  return { ...plan };
}

/** The analyzer's resolved statement. Deserialised once, which takes up to half a second for the largest. */
export function statementOf(plan: Plan): AnyNode {
  let statement = statements.get(plan);
  if (statement === undefined) {
    ({ statement } = deserialize(plan.packed) as PlanParts);
    statements.set(plan, statement);
  }
  return statement;
}
