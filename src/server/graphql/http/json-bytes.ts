import { TimeSlice } from '../../../base/async/time-slice.ts';

/** A piece of JSON becomes bytes at this length, in characters. */
const pieceLength = 65_536;
/** Lists are at this depth in a response, and no deeper. */
const maxDepth = 4;

/** The JSON of a part of a response, as bytes in pieces. The event loop does other work meanwhile. */
export async function jsonBytes(value: unknown): Promise<readonly Buffer[]> {
  const slice = new TimeSlice();
  const pieces: Buffer[] = [];
  let text = '';
  for (const part of parts(value, maxDepth)) {
    text += part;
    if (text.length < pieceLength) continue;
    pieces.push(Buffer.from(text));
    text = '';
    if (slice.isOver) await slice.yield();
  }
  pieces.push(Buffer.from(text));
  return pieces;
}

/** The same characters as `JSON.stringify` gives. */
function* parts(value: unknown, depth: number): Generator<string, void> {
  if (typeof value !== 'object' || value === null || depth === 0) {
    yield JSON.stringify(value) ?? 'null';
    return;
  }
  if (Array.isArray(value)) {
    let before = '[';
    for (const item of value) {
      yield before;
      yield JSON.stringify(item) ?? 'null';
      before = ',';
    }
    yield before === '[' ? '[]' : ']';
    return;
  }
  let before = '{';
  for (const [name, member] of Object.entries(value)) {
    if (member === undefined) continue;
    yield `${before}${JSON.stringify(name)}:`;
    yield* parts(member, depth - 1);
    before = ',';
  }
  yield before === '{' ? '{}' : '}';
}
