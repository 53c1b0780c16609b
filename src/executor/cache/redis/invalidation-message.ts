import { z } from 'zod';
import type { InvalidationFilter } from '../entry-store.ts';

const filterSchema = z
  .object({
    endpointId: z.string().optional(),
    only: z.string().optional(),
    not: z.string().optional(),
    parameters: z.array(z.tuple([z.int(), z.unknown()])).optional(),
  })
  .strict();

/** A drop as text, for other replicas. */
export function dropText({ endpointId, version, parameters }: InvalidationFilter): string {
  return JSON.stringify({ endpointId, ...version, parameters: parameters && [...parameters] });
}

/** The drop of a text. What can't be read may mean any entry: every one is meant, then. */
export function readDrop(text: string | undefined): InvalidationFilter {
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
