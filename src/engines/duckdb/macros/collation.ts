import { Macro } from './macro.ts';

/**
 * A key of a text whose bytes have the order and equality of the collation `und:ci`: that of Unicode's root collation,
 * which ignores letter case and keeps accents.
 */
export const collationKey = new Macro(
  'collation_key',
  ['x'],
  () => `icu_sort_key(x, 'und@colStrength=secondary')`,
);

/** The same of each text in a list. */
export const collationKeys = new Macro(
  'collation_keys',
  ['l'],
  () => `list_transform(l, lambda t: ${collationKey.call(['t'])})`,
);

export const collationMacros = [collationKey, collationKeys];
