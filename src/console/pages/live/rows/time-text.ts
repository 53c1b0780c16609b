/** A time of a row in UTC, with milliseconds: its date, and its time of day. */
export function timeTexts(time: number): { readonly date: string; readonly clock: string } {
  if (Number.isNaN(time)) return { date: '', clock: 'no time' };
  const text = new Date(time).toISOString();
  const middle = text.indexOf('T');
  return { date: text.slice(0, middle), clock: text.slice(middle + 1, -1) };
}

/** The time of day in UTC, to the second. */
export function clockText(time: number): string {
  return new Date(time).toISOString().slice(11, 19);
}
