import { z } from 'zod';

/** Which bodies a worker sends. */
export const shapeOrder = z.object({
  port: z.int().positive(),
  key: z.string(),
  /** The shape's name. */
  shape: z.string(),
  seconds: z.number().positive(),
});

export type ShapeOrder = z.infer<typeof shapeOrder>;

export const shapeReport = z.object({
  /** How long each body took, in milliseconds. */
  times: z.array(z.number()),
});

export type ShapeReport = z.infer<typeof shapeReport>;
