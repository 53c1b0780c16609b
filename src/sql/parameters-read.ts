import { memoized } from '../async/memoized.ts';
import { type Plan, statementOf } from './plan.ts';
import { type AnyNode, asList, asMessage, unwrap } from './resolved/node.ts';
import { nodesOf, resolvedLeaves, visitFields } from './tree-nodes.ts';

const entryList = 'with_entry_list';
/** The parts of a UNION, an INTERSECT or an EXCEPT. */
const partList = 'input_item_list';
/** Entries of WITH clauses count where they are read. Parts count by their common parameters. */
const leaves: ReadonlySet<string> = new Set([...resolvedLeaves, entryList, partList]);

/**
 * The declared parameters on which every row of a query depends. Entries of a WITH clause that are never read, which
 * the tree also contains, are ignored. For a UNION, these are the parameters that all of its parts read.
 */
export function parametersOfAllRows(statement: AnyNode, declared: Plan['parameters']): ReadonlySet<string> {
  const read = namesRead(statement);
  // GoogleSQL ignores the letter case of parameters' names.
  return new Set([...declared.keys()].filter((name) => read.has(name.toLowerCase())));
}

/** Whether a parameter is used outside the entries of the outermost WITH clause. */
export const hasParameterOutsideEntries = memoized((plan: Plan) => {
  const query = asMessage(unwrap(statementOf(plan)).message.query, 'query');
  const { kind, message } = unwrap(query);
  const outside = kind === 'resolved_with_scan_node' ? message.query : query;
  return nodesOf('resolved_parameter_node', outside).length > 0;
});

function namesRead(statement: AnyNode): ReadonlySet<string> {
  const entries = entriesOf(statement);
  const known = new Map<string, ReadonlySet<string>>();

  function ofEntry(name: string): ReadonlySet<string> {
    let names = known.get(name);
    if (names === undefined) {
      // A recursive entry reads itself.
      known.set(name, new Set());
      names = of(entries.get(name));
      known.set(name, names);
    }
    return names;
  }

  function of(part: unknown): Set<string> {
    const names = new Set<string>();
    const add = (more: ReadonlySet<string>) => {
      for (const name of more) names.add(name);
    };
    visitFields(part, leaves, (field, value) => {
      if (field === 'resolved_parameter_node') names.add(String(asMessage(value, field).name).toLowerCase());
      else if (field === 'resolved_with_ref_scan_node') add(ofEntry(nameOf(asMessage(value, field))));
      else if (field === partList) add(common(asList(value, field).map(of)));
    });
    return names;
  }

  return of(statement);
}

function common(sets: readonly ReadonlySet<string>[]): ReadonlySet<string> {
  const [first = new Set<string>(), ...others] = sets;
  return new Set([...first].filter((name) => others.every((other) => other.has(name))));
}

/** The queries of all WITH entries, by names that the analyzer has made unique. */
function entriesOf(statement: AnyNode): ReadonlyMap<string, unknown> {
  const entries = nodesOf('resolved_with_scan_node', statement)
    .flatMap((scan) => asList(scan[entryList], entryList))
    .map((entry) => asMessage(entry, entryList));
  return new Map(entries.map((entry) => [nameOf(entry), entry.with_subquery]));
}

function nameOf({ with_query_name: name }: AnyNode): string {
  return String(name);
}
