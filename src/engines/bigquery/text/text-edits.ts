/** A replacement of a part of a SQL text, in UTF-8 bytes. If `start` and `end` are equal, it is an insertion. */
export interface TextEdit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

interface EditedText {
  readonly text: string;
  /** Maps a byte of the edited text to the original. A byte of an insertion maps to its position. */
  originOf(byteOffset: number): number;
}

/** Applies edits, which must not overlap. */
export function edited(text: string, edits: readonly TextEdit[]): EditedText {
  const bytes = Buffer.from(text);
  const ordered = edits.toSorted((a, b) => a.start - b.start || a.end - b.end);
  const parts: string[] = [];
  let at = 0;
  for (const edit of ordered) {
    if (edit.start < at) throw new TypeError('Edits of a SQL text overlap');
    parts.push(bytes.subarray(at, edit.start).toString(), edit.text);
    at = edit.end;
  }
  parts.push(bytes.subarray(at).toString());
  return {
    text: parts.join(''),
    originOf: (byteOffset) => {
      let moved = 0;
      for (const edit of ordered) {
        const start = edit.start + moved;
        if (byteOffset < start) break;
        const length = Buffer.byteLength(edit.text);
        if (byteOffset < start + length) return edit.start;
        moved += length - (edit.end - edit.start);
      }
      return byteOffset - moved;
    },
  };
}
