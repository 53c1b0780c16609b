import { remembered } from '../remembered.ts';
import type { Plan } from './plan.ts';
import { type AnyNode, asList, asMessage, unwrap } from './resolved/node.ts';
import { nodesOf, resolvedLeaves, visitFields } from './tree-nodes.ts';

const entryList = 'with_entry_list';
/** The parts of a UNION, an INTERSECT or an EXCEPT. */
const partList = 'input_item_list';
/** What an entry of a WITH clause holds counts where it is read. */
const outsideEntries: ReadonlySet<string> = new Set([...resolvedLeaves, entryList]);
const outsideParts: ReadonlySet<string> = new Set([...outsideEntries, partList]);

/**
 * The parameters on which a plan's rows may depend, as they are declared. Those in entries of a WITH clause that nobody reads don't
 * count: the tree has such entries as well.
 */
export const parametersRead = remembered((plan: Plan) => declaredAmong(plan, outsideEntries));

/** Those of them that each part of a UNION reads, or what stands around it: some rows depend on any other parameter, others don't. */
export const parametersOfAllRows = remembered((plan: Plan) => declaredAmong(plan, outsideParts));

/** Whether a parameter stands outside of the entries of the outermost WITH clause. */
export const hasParameterOutsideEntries = remembered(({ statement }: Plan) => {
  const query = asMessage(unwrap(statement).message.query, 'query');
  const { kind, message } = unwrap(query);
  const outside = kind === 'resolved_with_scan_node' ? message.query : query;
  return nodesOf('resolved_parameter_node', outside).length > 0;
});

/** GoogleSQL ignores the letter case of parameters' names. */
function declaredAmong({ statement, parameters }: Plan, leaves: ReadonlySet<string>): ReadonlySet<string> {
  const read = namesRead(statement, leaves);
  return new Set([...parameters.keys()].filter((name) => read.has(name.toLowerCase())));
}

function namesRead(statement: AnyNode, leaves: ReadonlySet<string>): ReadonlySet<string> {
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
      else if (field === partList && leaves.has(partList)) add(common(asList(value, field).map(of)));
    });
    return names;
  }

  return of(statement);
}

function common(sets: readonly ReadonlySet<string>[]): ReadonlySet<string> {
  const [first = new Set<string>(), ...others] = sets;
  return new Set([...first].filter((name) => others.every((other) => other.has(name))));
}

/** The queries of all WITH entries, by names that the analyzer has made different. */
function entriesOf(statement: AnyNode): ReadonlyMap<string, unknown> {
  const entries = nodesOf('resolved_with_scan_node', statement)
    .flatMap((scan) => asList(scan[entryList], entryList))
    .map((entry) => asMessage(entry, entryList));
  return new Map(entries.map((entry) => [nameOf(entry), entry.with_subquery]));
}

function nameOf({ with_query_name: name }: AnyNode): string {
  return String(name);
}
