const units = ['B', 'kB', 'MB', 'GB', 'TB', 'PB'];

/** A number of bytes, such as "1.5 MB". */
export function bytesText(bytes: number): string {
  const power = Math.min(units.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(1, bytes)) / 3)));
  return `${Number((bytes / 1000 ** power).toPrecision(3))} ${units[power]}`;
}
