const units = ['B', 'kB', 'MB', 'GB', 'TB', 'PB'];

/** A number of bytes, such as "1.5 MB". */
export function bytesText(bytes: number): string {
  const power = Math.min(units.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(1, bytes)) / 3)));
  return `${Number((bytes / 1000 ** power).toPrecision(3))} ${units[power]}`;
}

/** A count with its noun, such as `1 row` or `2,000 rows`. The plural ends in s. */
export function counted(count: number, noun: string): string {
  return `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`;
}

/** A part of 1, such as "99.5 %". 100 % is said of all only. */
export function percentText(part: number): string {
  const percent = part === 1 ? 100 : Math.min(99.9, Math.round(part * 1000) / 10);
  return `${percent} %`;
}

/** A duration, such as "12 ms" or "3.4 s". */
export function durationText(milliseconds: number): string {
  if (milliseconds < 10) return `${milliseconds.toFixed(1)} ms`;
  return milliseconds < 1000 ? `${Math.round(milliseconds)} ms` : `${(milliseconds / 1000).toFixed(1)} s`;
}

/** A span in its largest unit, such as "15 min". */
export function spanText(seconds: number): string {
  const units = [
    ['d', 86_400],
    ['h', 3_600],
    ['min', 60],
  ] as const;
  const [unit, size] = units.find((candidate) => seconds >= candidate[1]) ?? ['s', 1];
  const count = seconds / size;
  return `${count >= 10 || size === 1 ? Math.round(count) : Number(count.toFixed(1))} ${unit}`;
}
