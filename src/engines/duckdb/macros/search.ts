import { normalizedCasefold } from '../udf/text/normalization.ts';
import { Macro } from './macro.ts';

/**
 * Whether a text, after normalizing and folding, contains an already folded one. For ASCII, which most texts are, lower
 * case suffices.
 */
export const containsFolded = new Macro(
  'contains_folded',
  ['s', 'needle'],
  () => `CASE WHEN strlen(s) = length(s) THEN contains(lower(s), needle)
    ELSE contains(${normalizedCasefold.call(['s', "'NFKC'"])}, needle) END`,
);

export const searchMacros = [containsFolded];
