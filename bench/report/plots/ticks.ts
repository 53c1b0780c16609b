const stepsByDensity = [[1, 1.2, 1.5, 2, 3, 4, 5, 7], [1, 1.5, 2, 3, 5, 7], [1, 2, 5], [1, 3], [1]];
/** Pixels between two ticks, so that their labels don't touch. */
const leastSpace = 34;

/** As many round ticks of a logarithmic axis as have room on so many pixels. */
export function logTicks(domain: readonly [number, number], pixels: number): number[] {
  const perFactor = pixels / Math.log(domain[1] / domain[0]);
  const hasRoom = (ticks: readonly number[]) =>
    ticks.every(
      (tick, index) => index === 0 || Math.log(tick / (ticks[index - 1] ?? 1)) * perFactor >= leastSpace,
    );
  const all = stepsByDensity.map((steps) => ticksOf(domain, steps));
  return all.find(hasRoom) ?? all.at(-1) ?? [];
}

function ticksOf([from, to]: readonly [number, number], steps: readonly number[]): number[] {
  const ticks: number[] = [];
  for (let power = Math.floor(Math.log10(from)); power <= Math.ceil(Math.log10(to)); power += 1) {
    for (const step of steps) {
      const tick = Number((step * 10 ** power).toPrecision(3));
      if (tick >= from && tick <= to) ticks.push(tick);
    }
  }
  return ticks;
}

/** A tick's label: `0.5`, `20`, `1,000`. */
export function tickText(tick: number): string {
  return tick.toLocaleString('en', { maximumSignificantDigits: 3 });
}

/** A domain that contains all numbers, with room on both sides by this factor. */
export function logDomain(numbers: readonly number[], room = 1.25): readonly [number, number] {
  return [Math.min(...numbers) / room, Math.max(...numbers) * room];
}

/** Round ticks from 0 to a number, about five of them. */
export function linearTicks(most: number): number[] {
  const rough = most / 5;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 2.5, 5, 10].map((factor) => factor * power).find((one) => one >= rough) ?? rough;
  return Array.from({ length: Math.floor(most / step + 1e-9) + 1 }, (_, index) =>
    Number((index * step).toPrecision(6)),
  );
}
