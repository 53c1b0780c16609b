import { z } from 'zod';
import { quantile } from '../measure.ts';

/** Quartiles and extremes of repeated measurements. */
export const spread = z.object({
  least: z.number(),
  quarter: z.number(),
  median: z.number(),
  threeQuarters: z.number(),
  most: z.number(),
});

export type Spread = Readonly<z.infer<typeof spread>>;

/** The spread of some numbers. NaN without numbers. */
export function spreadOf(numbers: readonly number[]): Spread {
  const at = (part: number) => rounded(quantile(numbers, part));
  return { least: at(0), quarter: at(0.25), median: at(0.5), threeQuarters: at(0.75), most: at(1) };
}

/** The same with the quartiles as its extremes. */
export function quartilesOf({
  quarter,
  median,
  threeQuarters,
}: Spread): Pick<Spread, 'least' | 'median' | 'most'> {
  return { least: quarter, median, most: threeQuarters };
}

/** A number with five digits, as results keep it. */
export function rounded(number: number): number {
  return Number(number.toPrecision(5));
}

/** The spread of numbers that are all multiplied. */
export function scaled({ least, quarter, median, threeQuarters, most }: Spread, factor: number): Spread {
  return {
    least: least * factor,
    quarter: quarter * factor,
    median: median * factor,
    threeQuarters: threeQuarters * factor,
    most: most * factor,
  };
}
