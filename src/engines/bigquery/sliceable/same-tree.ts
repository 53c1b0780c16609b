import { type AnyNode, asMessage, fieldsOf, idOf, messages, unwrap } from '../../../sql/resolved/node.ts';
import { isPopulated, meaninglessFields } from '../../../sql/resolved/populated.ts';

/** Fields whose content makes no difference between two trees. */
const ignored: ReadonlySet<string> = new Set(
  [...meaninglessFields, 'serialization_id'].filter(
    // Columns of an entry of WITH are passed on by position.
    (field) => field !== 'column_list',
  ),
);

/** Compares parts of two resolved trees, whose columns may have other ids and names. */
export class SameTree {
  readonly #right = new Map<string, string>();
  readonly #left = new Map<string, string>();
  readonly #except: (left: AnyNode, right: AnyNode) => boolean | undefined;

  /** @param except says of some messages whether they are the same. Undefined for all others */
  constructor(except: (left: AnyNode, right: AnyNode) => boolean | undefined = () => undefined) {
    this.#except = except;
  }

  /** Whether two columns are the same, or become so, because they are at the same place. */
  bind(left: AnyNode, right: AnyNode): boolean {
    const [from, to] = [idOf(left), idOf(right)];
    const known = this.#right.get(from);
    if (known !== undefined || this.#left.has(to)) return known === to && this.#left.get(to) === from;
    this.#right.set(from, to);
    this.#left.set(to, from);
    return this.is(left.type, right.type) && this.is(left.annotation_map, right.annotation_map);
  }

  /** Whether two parts mean the same. */
  is(left: unknown, right: unknown): boolean {
    if (!isPopulated(left) || !isPopulated(right)) return !isPopulated(left) && !isPopulated(right);
    if (Array.isArray(left) || Array.isArray(right)) {
      if (!Array.isArray(left) || !Array.isArray(right) || left.length !== right.length) return false;
      return left.every((element, i) => this.is(element, right[i]));
    }
    if (ArrayBuffer.isView(left) || ArrayBuffer.isView(right))
      return Buffer.from(left as Uint8Array).equals(Buffer.from(right as Uint8Array));
    if (typeof left !== 'object' || typeof right !== 'object') return String(left) === String(right);
    return this.#isMessage(left as AnyNode, right as AnyNode);
  }

  #isMessage(left: AnyNode, right: AnyNode): boolean {
    if ('column_id' in left && 'column_id' in right) return this.bind(left, right);
    const exception = this.#except(left, right);
    if (exception !== undefined) return exception;
    if (!isSameTable(left, right)) return false;
    for (const field of new Set([...Object.keys(left), ...Object.keys(right)]))
      if (!ignored.has(field) && !this.is(left[field], right[field])) return false;
    return true;
  }
}

/** Columns of tables are the same if they have the same names. */
function isSameTable(left: AnyNode, right: AnyNode): boolean {
  const { kind } = unwrap(left);
  if (kind !== 'resolved_table_scan_node' || unwrap(right).kind !== kind) return true;
  const [first, second] = [left, right].map((scan) =>
    messages(fieldsOf(asMessage(unwrap(scan).message, kind)), 'column_list').map(({ name }) => String(name)),
  );
  return JSON.stringify(first) === JSON.stringify(second);
}
