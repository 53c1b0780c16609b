import { collatedEndsWith, collatedPosition, collatedStartsWith } from '../udf/text/collated-search.ts';
import { shortSearched } from '../udf/text/search-work.ts';
import { Macro } from './macro.ts';

/**
 * Whether a text has only printable ASCII characters, as most texts have: the collation `und:ci` compares them by their
 * lower case.
 */
export const isPrintable = (text: string) => `regexp_full_match(${text}, '[ -~]*')`;

/** A search for `n` in `s`. The empty text is found nowhere. */
const search = (name: string, plain: string, otherwise: string, none: string) =>
  new Macro(
    name,
    ['s', 'n'],
    () => `CASE WHEN strlen(n) <= ${shortSearched} AND ${isPrintable('n')} AND ${isPrintable('s')}
      THEN CASE WHEN n = '' THEN ${none} ELSE ${plain} END ELSE ${otherwise} END`,
  );

export const firstCollated = search(
  'first_collated',
  'strpos(lower(s), lower(n))',
  collatedPosition.call(['s', 'n', '1::BIGINT', '1::BIGINT']),
  '0::BIGINT',
);

export const startsCollated = search(
  'starts_collated',
  'starts_with(lower(s), lower(n))',
  collatedStartsWith.call(['s', 'n']),
  'false',
);

export const endsCollated = search(
  'ends_collated',
  'ends_with(lower(s), lower(n))',
  collatedEndsWith.call(['s', 'n']),
  'false',
);

export const collatedSearchMacros = [firstCollated, startsCollated, endsCollated];
