/** Names of days, from Sunday, and of months. */
export const fullDays = [
  'Sunday',
  'Monday',
  'Tuesday',
  'Wednesday',
  'Thursday',
  'Friday',
  'Saturday',
] as const;

export const fullMonths = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
] as const;

/** The name at a position of the text, in full or abbreviated to three letters, in any letter case. */
export function readName(
  names: readonly string[],
  text: string,
  at: number,
): { readonly index: number; readonly end: number } | undefined {
  const start = text.slice(at, at + 9).toLowerCase();
  const index = names.findIndex((name) => start.startsWith(name.slice(0, 3).toLowerCase()));
  const name = names[index];
  if (name === undefined) return undefined;
  return { index, end: at + (start.startsWith(name.toLowerCase()) ? name.length : 3) };
}
