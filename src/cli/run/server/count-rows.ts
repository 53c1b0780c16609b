/** Counts the rows in pieces that pass. */
export interface RowCount {
  counting(pieces: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array>;
  /** The number of rows that have passed. */
  rows(): number;
}

const [lineFeed, quote] = [0x0a, 0x22];

/** Counts lines. The last one may have no line break. */
export function countLines(): RowCount {
  return countEnds(() => false, 0);
}

/** Counts the records of RFC 4180 but its header. Those in quotes may contain line breaks. */
export function countCsvRows(): RowCount {
  let isQuoted = false;
  return countEnds((byte) => {
    if (byte === quote) isQuoted = !isQuoted;
    return isQuoted;
  }, 1);
}

function countEnds(isWithin: (byte: number) => boolean, headers: number): RowCount {
  let ends = 0;
  let isEnded = true;
  return {
    async *counting(pieces) {
      for await (const piece of pieces) {
        for (const byte of piece) {
          isEnded = !isWithin(byte) && byte === lineFeed;
          if (isEnded) ends++;
        }
        yield piece;
      }
    },
    rows: () => Math.max(0, ends + (isEnded ? 0 : 1) - headers),
  };
}
