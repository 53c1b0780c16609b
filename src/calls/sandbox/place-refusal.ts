import { UnsupportedError } from '../../sql/resolved/unsupported.ts';
import { type PlacedText, placeOfByte } from '../../sql/text/place.ts';

/**
 * An engine's error about an ad-hoc query. If it refuses a construct of the caller's own text, the error tells its place
 * there, as errors of the analyzer do.
 *
 * @param text the text that the engine was given
 */
export function placeRefusal(error: unknown, text: PlacedText): unknown {
  if (!(error instanceof UnsupportedError) || error.byteOffset === undefined) return error;
  const place = placeOfByte(text, error.byteOffset);
  if (place === undefined) return error;
  const message = `${error.message} [at ${place.line}:${place.column}]`;
  return new UnsupportedError(message, error.byteOffset, place);
}
