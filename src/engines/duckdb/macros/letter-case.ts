import {
  contextualCharacters,
  expandingCharacters,
  specialLower,
  specialUpper,
} from '../udf/text/special-casing.ts';
import { Macro } from './macro.ts';

/** DuckDB's function, and one in JavaScript for texts with characters that DuckDB's doesn't change as Unicode says. */
const letterCase = (name: 'lower' | 'upper', characters: string, special: typeof specialLower) =>
  new Macro(
    `${name}_case`,
    ['s'],
    () => `CASE WHEN strlen(s) = length(s) OR NOT regexp_matches(s, '[${characters}]') THEN ${name}(s)
      ELSE ${special.rareCall(['s'])} END`,
  );

export const upper = letterCase('upper', expandingCharacters, specialUpper);
export const lower = letterCase('lower', contextualCharacters, specialLower);
