import { RowValidationError } from './row-validation-error.ts';

/** Any character that a JSON string can't contain unescaped, and both halves of surrogate pairs. */
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
