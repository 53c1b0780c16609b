import { normalizedCasefold } from '../udf/normalization.ts';
import { Macro } from './macro.ts';

/**
 * Whether a text, normalized and with its case folded, contains one that is so already. ASCII, by far the most
 * of all texts, needs no more than lower case.
 */
export const containsFolded = new Macro(
  'contains_folded',
  ['s', 'needle'],
  () => `CASE WHEN strlen(s) = length(s) THEN contains(lower(s), needle)
    ELSE contains(${normalizedCasefold.call(['s', "'NFKC'"])}, needle) END`,
);

export const searchMacros = [containsFolded];
