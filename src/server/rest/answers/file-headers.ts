import { create } from 'content-disposition';
import type { Format } from '../../../rows/formats/format.ts';

/** Characters that file names can't contain on some systems. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
const unfit = /[\\/:*?"<>|\u0000-\u001f]/g;

/** The header with the name of a file for a result. JSON is no file. Name and value alternate. */
export function fileHeaders(endpoint: string, { name }: Format): readonly string[] {
  if (name === 'json') return [];
  return ['Content-Disposition', create(`${endpoint.replace(unfit, '-')}.${name}`)];
}
