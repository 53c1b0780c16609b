import { Macro } from './macro.ts';

/** Vectors of equal length without NULL. `ofZero` is the result if one has length zero. */
const ofVectors = (name: string, duck: string, ofZero: string) =>
  new Macro(
    `${name}_of_lists`,
    ['a', 'b'],
    (mode) => `CASE WHEN a IS NULL OR b IS NULL THEN NULL
      WHEN list_count(a) < len(a) OR list_count(b) < len(b)
        THEN ${mode.raise(`'Cannot compute ${name} with a NULL value'`, 'DOUBLE')}
      WHEN len(a) <> len(b)
        THEN ${mode.raise(`'Array length mismatch: ' || len(a) || ' and ' || len(b) || '.'`, 'DOUBLE')}
      ${ofZero.replace('$error', mode.raise(`'Cannot compute ${name} against zero vector.'`, 'DOUBLE'))}
      WHEN len(a) = 0 THEN 0::DOUBLE
      ELSE ${duck}(a, b) END`,
  );

const isZero = (list: string) => `len(list_filter(${list}, lambda x: x <> 0)) = 0`;

export const cosineDistance = ofVectors(
  'COSINE_DISTANCE',
  'list_cosine_distance',
  `WHEN ${isZero('a')} OR ${isZero('b')} THEN $error`,
);

export const euclideanDistance = ofVectors('EUCLIDEAN_DISTANCE', 'list_distance', '');

export const distanceMacros = [cosineDistance, euclideanDistance];
