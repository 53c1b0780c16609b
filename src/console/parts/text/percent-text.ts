/** A part of 1, such as "99.5 %". 100 % is said of all only. */
export function percentText(part: number): string {
  const percent = part === 1 ? 100 : Math.min(99.9, Math.round(part * 1000) / 10);
  return `${percent} %`;
}
