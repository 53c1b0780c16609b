import { TimeSlice } from '../../../base/async/time-slice.ts';
import { JsonReader } from '../../../base/text/json-reader.ts';
import { endOfText } from '../../../base/text/json-tokens.ts';

/** Tokens read in one step, which takes about a millisecond. */
const stepTokens = 5_000;

/** Other keys that are remembered. */
const maxOthers = 20;

/** The members of a JSON object. */
export interface WantedMembers {
  /** Those that are wanted, each as written; the last one of a repeated key. */
  readonly wanted: ReadonlyMap<string, string>;
  /** The keys of wanted ones that occur several times. */
  readonly repeated: ReadonlySet<string>;
  /** The keys of the first other ones. */
  readonly others: ReadonlySet<string>;
}

/**
 * The members of a JSON object. Empty for JSON that is not an object. Those that aren't wanted are only validated: parsing a body
 * of objects and numbers would take a hundred times its memory, and would block the event loop for seconds. Yields to the event
 * loop in between.
 *
 * @throws JsonFault where JSON.parse throws
 */
export async function wantedMembers(text: string, keys: ReadonlySet<string>): Promise<WantedMembers> {
  const slice = new TimeSlice();
  const reader = new JsonReader(text);
  const wanted = new Map<string, string>();
  const repeated = new Set<string>();
  const others = new Set<string>();
  let member: { readonly key: string; start?: number } | undefined;
  for (let tokens = 1; reader.next() !== endOfText; tokens++) {
    if (tokens % stepTokens === 0 && slice.isOver) await slice.yield();
    if (reader.isKey && reader.depth === 1) {
      const key = reader.string;
      if (keys.has(key)) member = { key };
      else if (others.size < maxOthers) others.add(key);
    } else if (member !== undefined) {
      member.start ??= reader.start;
      if (reader.depth > 1) continue;
      if (wanted.has(member.key)) repeated.add(member.key);
      wanted.set(member.key, text.slice(member.start, reader.end));
      member = undefined;
    }
  }
  return { wanted, repeated, others };
}
