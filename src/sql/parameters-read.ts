import { remembered } from '../remembered.ts';
import type { Plan } from './plan.ts';
import { type AnyNode, asList, asMessage } from './resolved/node.ts';
import { nodesOf, resolvedLeaves, visitFields } from './tree-nodes.ts';

const entryList = 'with_entry_list';
/** What an entry of a WITH clause holds counts where it is read. */
const outsideEntries: ReadonlySet<string> = new Set([...resolvedLeaves, entryList]);

/**
 * The parameters on which a plan's rows may depend, as they are declared. GoogleSQL ignores the letter case of their names. Those in
 * entries of a WITH clause that nobody reads don't count: the tree has such entries as well.
 */
export const parametersRead = remembered(({ statement, parameters }: Plan): ReadonlySet<string> => {
  const entries = entriesOf(statement);
  const read = new Set<string>();
  const reached = new Set<string>();
  const pending: unknown[] = [statement];
  for (const part of pending) {
    visitFields(part, outsideEntries, (field, value) => {
      if (field === 'resolved_parameter_node') read.add(String(asMessage(value, field).name).toLowerCase());
      if (field !== 'resolved_with_ref_scan_node') return;
      const name = String(asMessage(value, field).with_query_name);
      if (reached.has(name)) return;
      reached.add(name);
      pending.push(entries.get(name));
    });
  }
  return new Set([...parameters.keys()].filter((name) => read.has(name.toLowerCase())));
});

/** The queries of all WITH entries, by names that the analyzer has made different. */
function entriesOf(statement: AnyNode): ReadonlyMap<string, unknown> {
  const entries = nodesOf('resolved_with_scan_node', statement)
    .flatMap((scan) => asList(scan[entryList], entryList))
    .map((entry) => asMessage(entry, entryList));
  return new Map(
    entries.map(({ with_query_name, with_subquery }) => [String(with_query_name), with_subquery]),
  );
}
