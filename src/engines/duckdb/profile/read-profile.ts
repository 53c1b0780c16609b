import { z } from 'zod';
import type { ProfileStep, QueryProfile } from '../../engine/profile.ts';

const info = z.record(z.string(), z.union([z.string(), z.array(z.string())]));

interface Operator {
  readonly operator_name?: string | undefined;
  readonly operator_timing?: number | undefined;
  readonly operator_cardinality?: number | undefined;
  readonly operator_rows_scanned?: number | undefined;
  readonly extra_info: z.infer<typeof info>;
  readonly children: readonly Operator[];
}

const operator: z.ZodType<Operator> = z.object({
  operator_name: z.string().optional(),
  operator_timing: z.number().optional(),
  operator_cardinality: z.number().optional(),
  operator_rows_scanned: z.number().optional(),
  extra_info: info.default({}),
  children: z.array(z.lazy(() => operator)).default([]),
});

const profile = z.object({ latency: z.number().default(0), children: z.array(operator).default([]) });

/** What is no detail of a step: what it was thought to be before it ran, and columns that only have numbers. */
const leftOut: ReadonlySet<string> = new Set(['Estimated Cardinality', 'Projections']);
/** Longer texts of details are cut. */
const maxText = 500;

/** Reads what DuckDB's `EXPLAIN (ANALYZE, FORMAT json)` returns. */
export function readProfile(json: string): QueryProfile {
  const { latency, children } = profile.parse(JSON.parse(json));
  return { milliseconds: latency * 1000, steps: children.flatMap(stepsOf) };
}

function stepsOf(one: Operator): readonly ProfileStep[] {
  const name = one.operator_name?.trim() ?? '';
  const children = one.children.flatMap(stepsOf);
  if (name === '' || name === 'EXPLAIN_ANALYZE') return children;
  const scanned = one.operator_rows_scanned ?? 0;
  return [
    {
      name,
      details: Object.entries(one.extra_info).flatMap(([key, value]) => {
        const text = [value].flat().join(', ').slice(0, maxText);
        return leftOut.has(key) || text === '' ? [] : [{ name: key, text }];
      }),
      rows: one.operator_cardinality ?? 0,
      ...(scanned > 0 && { scanned }),
      milliseconds: (one.operator_timing ?? 0) * 1000,
      children,
    },
  ];
}
