/** A part of a SQL text that is replaced. Bytes in UTF-8; with `start` and `end` the same, it is only put in. */
export interface TextEdit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

interface EditedText {
  readonly text: string;
  /** Where a byte of the edited text comes from; for one that was put in, where it was put. */
  originOf(byteOffset: number): number;
}

/** The text with all edits made. They may not overlap. */
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
