import type { Path } from '../syntax/syntax.ts';
import type { Scanner } from './scanner.ts';

/** Parses `metadata.request.path`. A leading `m.` is short for `metadata.`. */
export function parsePath(scanner: Scanner): Path {
  const { at } = scanner;
  const [text] = scanner.take(/[A-Za-z0-9_.]+/y) ?? scanner.fail('expected the name of a field');
  const names = text.split('.');
  const places: number[] = [];
  let place = at;
  for (const name of names) {
    if (name === '') scanner.fail('expected a name on both sides of the dot', place);
    places.push(place);
    place += name.length + 1;
  }
  if (names.length > 1 && names[0] === 'm') names[0] = 'metadata';
  return { names, places, at };
}
