import { Macro, type Mode } from './macro.ts';

const isInfinite = (list: string) => `len(list_filter(${list}, lambda x: isinf(x))) > 0`;

/** Raises an error for an infinite result of finite values. */
const checked = (result: string, lists: readonly string[], mode: Mode) =>
  `CASE WHEN isinf(${result}) AND NOT (${lists.map(isInfinite).join(' OR ')})
    THEN ${mode.raise("'double overflow'", 'DOUBLE')} ELSE ${result} END`;

/** Vectors of equal length without NULL. */
const ofVectors = (name: string, distance: (mode: Mode) => string) =>
  new Macro(
    `${name}_of_lists`,
    ['a', 'b'],
    (mode) => `CASE WHEN a IS NULL OR b IS NULL THEN NULL
      WHEN list_count(a) < len(a) OR list_count(b) < len(b)
        THEN ${mode.raise(`'Cannot compute ${name} with a NULL value'`, 'DOUBLE')}
      WHEN len(a) <> len(b)
        THEN ${mode.raise(`'Array length mismatch: ' || len(a) || ' and ' || len(b) || '.'`, 'DOUBLE')}
      ${distance(mode)} END`,
  );

const [aa, bb, ab] = ['list_inner_product(a, a)', 'list_inner_product(b, b)', 'list_inner_product(a, b)'];

/** A vector whose squares vanish counts as zero. */
export const cosineDistance = ofVectors(
  'COSINE_DISTANCE',
  (mode) => `WHEN len(a) = 0 OR ${aa} = 0 OR ${bb} = 0
      THEN ${mode.raise(`'Cannot compute COSINE_DISTANCE against zero vector.'`, 'DOUBLE')}
    ELSE 1 - ${checked(ab, ['a', 'b'], mode)}
      / (sqrt(${checked(aa, ['a'], mode)}) * sqrt(${checked(bb, ['b'], mode)}))`,
);

export const euclideanDistance = ofVectors(
  'EUCLIDEAN_DISTANCE',
  (mode) => `WHEN len(a) = 0 THEN 0::DOUBLE ELSE ${checked('list_distance(a, b)', ['a', 'b'], mode)}`,
);

export const distanceMacros = [cosineDistance, euclideanDistance];
