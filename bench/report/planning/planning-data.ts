import { z } from 'zod';
import { spread } from '../spread.ts';

export const planningData = z.object({
  /** New texts of each measurement. */
  texts: z.int().positive(),
  kinds: z
    .array(
      z.object({
        kind: z.enum(['UNION ALL', 'JOIN']),
        points: z
          .array(
            z.object({
              tables: z.int().positive(),
              /** Milliseconds of a text that is new. */
              fresh: spread,
              /** Milliseconds of the same text again. */
              repeated: spread,
            }),
          )
          .min(2),
      }),
    )
    .min(1),
});

export type PlanningData = z.infer<typeof planningData>;
export type PlanningKind = PlanningData['kinds'][number]['kind'];
