import { RowValidationError } from './row-validation-error.ts';

/** Anything but the characters that stand for themselves in a JSON string; both halves of a pair are among it. */
const special = /[^ !#-[\]-\ud7ff\ue000-\uffff]/;

/** A text as a JSON string. It must be valid Unicode: see `unicodeText`. */
export function quote(text: string): string {
  return special.test(text) ? JSON.stringify(unicodeText(text)) : `"${text}"`;
}

/** The text itself. Refuses a lone half of a surrogate pair, which is not valid Unicode. */
export function unicodeText(text: string): string {
  if (!text.isWellFormed()) throw new RowValidationError('not valid Unicode (half of a surrogate pair)');
  return text;
}
