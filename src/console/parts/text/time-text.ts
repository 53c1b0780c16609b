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
