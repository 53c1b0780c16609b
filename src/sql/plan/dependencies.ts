import { type AnyNode, asList, asMessage } from '../resolved/node.ts';
import { calledFunction } from './called-function.ts';
import { nodesOf, resolvedLeaves, visitFields } from './tree-nodes.ts';
import { volatileFunctions } from './volatile-functions.ts';

/** What the result of a query depends on, besides its parameters. */
export interface Dependencies {
  /** The stored tables that it reads, by their full names. */
  readonly tables: readonly string[];
  /** Whether it can change although no row does: with the time, or by chance. */
  readonly changesByItself: boolean;
}

const changingFunctions: ReadonlySet<string> = new Set([
  'current_timestamp',
  'current_datetime',
  'current_date',
  'current_time',
  ...volatileFunctions,
  'session_user',
]);

const entryList = 'with_entry_list';
const leaves: ReadonlySet<string> = new Set([...resolvedLeaves, entryList]);

/** The dependencies of a resolved statement. Entries of WITH clauses that are never read make no difference. */
export function dependenciesOf(statement: AnyNode): Dependencies {
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
