import { TimeSlice } from '../../../base/async/time-slice.ts';

const number = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
const literal = /true|false|null/y;
/** Valid escape sequences of a string. */
const escapeSequence = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;

/** Tokens read in one step, which takes about a millisecond. */
const stepTokens = 5_000;

/** Runs `memberSteps`, yielding to the event loop between steps. */
export async function jsonMembers(text: string, wanted: ReadonlySet<string>): Promise<JsonMembers> {
  const slice = new TimeSlice();
  const steps = memberSteps(text, wanted);
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
    if (slice.isOver) await slice.yield();
  }
}

/** The members of a JSON object. */
export interface JsonMembers {
  /** Those that are wanted, each as written; the last one of a repeated key. */
  readonly wanted: ReadonlyMap<string, string>;
  /** The keys of wanted ones that occur several times. */
  readonly repeated: ReadonlySet<string>;
  /** The keys of the first other ones. */
  readonly others: ReadonlySet<string>;
}

/** Other keys that are remembered. */
const maxOthers = 20;

/**
 * The members of a JSON object. Empty for JSON that is not an object. Those that aren't wanted are only validated: parsing a body of objects and numbers would take a hundred times its
 * memory, and would block the event loop for seconds.
 *
 * @throws SyntaxError where JSON.parse would
 */
export function* memberSteps(text: string, wanted: ReadonlySet<string>): Generator<void, JsonMembers> {
  const members = new Map<string, string>();
  const repeated = new Set<string>();
  const others = new Set<string>();
  /** Open brackets, each represented by its closing character. */
  const open: string[] = [];
  let at = 0;
  let member: { readonly key: string; readonly start: number } | undefined;

  const fail = (): never => {
    throw new SyntaxError(`No JSON at ${at}`);
  };
  const skipSpace = () => {
    for (;;) {
      const code = text.charCodeAt(at);
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return;
      at++;
    }
  };
  const skip = (pattern: RegExp) => {
    pattern.lastIndex = at;
    if (!pattern.test(text)) fail();
    at = pattern.lastIndex;
  };
  const skipString = () => {
    if (text[at] !== '"') fail();
    at++;
    for (;;) {
      const code = text.charCodeAt(at);
      if (code === 0x22) break;
      // Past the end, the code is NaN.
      if (!(code >= 0x20)) fail();
      if (code === 0x5c) skip(escapeSequence);
      else at++;
    }
    at++;
  };
  const readKey = () => {
    skipSpace();
    const start = at;
    skipString();
    const raw = text.slice(start, at);
    skipSpace();
    if (text[at] !== ':') fail();
    at++;
    skipSpace();
    if (open.length > 1) return;
    const key = raw.includes('\\') ? String(JSON.parse(raw)) : raw.slice(1, -1);
    member = wanted.has(key) ? { key, start: at } : undefined;
    if (member === undefined && others.size < maxOthers) others.add(key);
  };
  /** @returns whether a value was read; otherwise a bracket was opened, and its first value comes next */
  const readValue = (): boolean => {
    skipSpace();
    const first = text[at] ?? '';
    if (first === '{' || first === '[') {
      at++;
      skipSpace();
      const closing = first === '{' ? '}' : ']';
      if (text[at] === closing) {
        at++;
        return true;
      }
      open.push(closing);
      if (closing === '}') readKey();
      return false;
    }
    if (first === '"') skipString();
    else skip(first === 't' || first === 'f' || first === 'n' ? literal : number);
    return true;
  };
  /** @returns whether another value comes */
  const continues = (): boolean => {
    for (let closing = open.at(-1); closing !== undefined; closing = open.at(-1)) {
      if (open.length === 1 && member !== undefined) {
        if (members.has(member.key)) repeated.add(member.key);
        members.set(member.key, text.slice(member.start, at));
      }
      if (open.length === 1) member = undefined;
      skipSpace();
      const next = text[at++];
      if (next === ',') {
        if (closing === '}') readKey();
        return true;
      }
      if (next !== closing) fail();
      open.pop();
    }
    return false;
  };

  let tokens = 0;
  do {
    do {
      if (++tokens % stepTokens === 0) yield;
    } while (!readValue());
  } while (continues());
  skipSpace();
  return at === text.length ? { wanted: members, repeated, others } : fail();
}
