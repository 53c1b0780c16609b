import type { Source } from '../../../definitions/sources/source.ts';
import type { Line } from '../body/lines.ts';
import type { BadRow } from './bad-rows.ts';
import type { ParsedChunk } from './parsed-chunk.ts';
import { type RowForm, RowParser } from './row-parser.ts';

/** A chunk ends at this many characters of text. */
const chunkLength = 1024 * 1024;

/** A chunk of lines that arrived one by one. */
export interface ChunkOfLines extends ParsedChunk {
  readonly texts: readonly Line[];
}

/**
 * Parses lines in this thread. Their numbers are ascending and may have gaps.
 */
export async function* parsedLines(
  lines: AsyncIterable<Line>,
  source: Source,
  form: RowForm = {},
): AsyncGenerator<ChunkOfLines> {
  const parser = new RowParser(source, form);
  let bad: BadRow[] = [];
  let texts: Line[] = [];
  let before = 0;
  let length = 0;
  const take = (): ChunkOfLines => {
    const last = (texts.at(-1)?.number ?? before) - before;
    const chunk = {
      rows: parser.take(),
      bad,
      texts,
      lines: last,
      lastRow: last,
      blanks: new Uint32Array(),
      marks: [],
      hasFinerTimes: parser.hasFinerTimes,
    };
    before += last;
    bad = [];
    texts = [];
    length = 0;
    return chunk;
  };
  for await (const line of lines) {
    const number = line.number - before;
    const reason = parser.add(line, number);
    if (reason !== undefined) bad.push(reason);
    texts.push(line);
    length += line.text.length;
    if (length >= chunkLength) yield take();
  }
  if (texts.length > 0) yield take();
}
