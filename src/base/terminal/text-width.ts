import stringWidth from 'string-width';

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** Texts of ASCII characters have one place for each. */
const ascii = /^[\x20-\x7e]*$/;

/** The places that a text takes on a terminal. */
export function textWidth(text: string): number {
  return ascii.test(text) ? text.length : stringWidth(text);
}

/** A text of exactly this width: filled with spaces, or cut, which `…` shows. */
export function padded(text: string, width: number, isRight: boolean): string {
  const own = textWidth(text);
  if (own > width) return padded(cut(text, width), width, isRight);
  if (!Number.isFinite(width)) return text;
  const fill = ' '.repeat(width - own);
  return isRight ? fill + text : text + fill;
}

function cut(text: string, width: number): string {
  if (width <= 0) return '';
  let kept = '';
  let taken = 1;
  for (const { segment } of graphemes.segment(text)) {
    taken += textWidth(segment);
    if (taken > width) break;
    kept += segment;
  }
  return `${kept}…`;
}
