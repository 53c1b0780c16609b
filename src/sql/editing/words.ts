import { reserved } from '../text/identifier.ts';
import { scalarTypeNames } from '../values/type.ts';

const words = (text: string): readonly string[] => text.trim().split(/\s+/);

/** Keywords that a stored query can't use, or that nobody needs help with. */
const notOffered = words(
  'ASSERT_ROWS_MODIFIED AT CONTAINS CREATE DEFINE ENUM FETCH HASH INTO LOOKUP MERGE NATURAL NEW NO PROTO TO TREAT WITHIN',
);

/** Words that queries use, reserved or not, in upper case. */
export const offeredWords: readonly string[] = [
  ...[...reserved].filter((word) => !notOffered.includes(word)),
  ...words('FIRST LAST OFFSET ROW SAFE_CAST'),
];

/** Parts of times, which functions take. */
export const timeParts = words('MICROSECOND MILLISECOND SECOND MINUTE HOUR DAY WEEK MONTH QUARTER YEAR');

/** Types whose names are not reserved. */
export const typeWords: readonly string[] = scalarTypeNames.filter((name) => !reserved.has(name));
