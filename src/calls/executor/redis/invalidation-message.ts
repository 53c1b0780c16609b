import { z } from 'zod';
import type { InvalidationFilter } from '../entries/entry-store.ts';

const filterSchema = z
  .object({
    endpointId: z.string().optional(),
    only: z.string().optional(),
    not: z.string().optional(),
    parameters: z.array(z.tuple([z.int(), z.unknown()])).optional(),
  })
  .strict();

/** An invalidation as text, for other replicas. */
export function filterText({ endpointId, version, parameters }: InvalidationFilter): string {
  return JSON.stringify({ endpointId, ...version, parameters: parameters && [...parameters] });
}

/** Parses an invalidation. An unreadable text matches every entry, because it may mean any. */
export function readFilter(text: string | undefined): InvalidationFilter {
  const { data } = filterSchema.safeParse(parsedJson(text));
  if (data === undefined) return {};
  const { endpointId, only, not, parameters } = data;
  const version = only !== undefined ? { only } : not !== undefined ? { not } : undefined;
  return {
    ...(endpointId !== undefined && { endpointId }),
    ...(version && { version }),
    ...(parameters && { parameters: new Map(parameters) }),
  };
}

function parsedJson(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? '');
  } catch {
    return undefined;
  }
}
