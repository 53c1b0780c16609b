/** The types whose times are formatted and parsed. */
export type TimeKind = 'TIMESTAMP' | 'DATETIME' | 'DATE' | 'TIME';

/** The elements that are not available for a type, such as the hour of a DATE. */
const foreign: Readonly<Record<TimeKind, string>> = {
  TIMESTAMP: '',
  DATETIME: 'Zz',
  DATE: 'cHIklMPpRrSsTXZz',
  TIME: 'AaBbhCcDdeFGgJjmQsUuVWwxYyZz',
};

/**
 * Whether an element, given without its `%`, is available for a type. For `E` and `O` the following letter decides, for
 * `E3S`, `E*S` and `E4Y` the last one.
 */
export function isAllowed(element: string, kind: TimeKind): boolean {
  const letter = /^[EO](?:[*0-9](?=S)|4(?=Y))?(.)/s.exec(element)?.[1] ?? element;
  return !foreign[kind].includes(letter);
}
