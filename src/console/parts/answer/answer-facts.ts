/** What the headers of an answer say of its rows. */
export interface AnswerFacts {
  readonly rows: number;
  /** Whether the query has more rows. */
  readonly truncated: boolean;
  /** Where the rows come from. */
  readonly source: 'engine' | 'cache' | 'stale' | 'shared';
  /** Seconds since the engine returned the rows. */
  readonly age: number;
  /** From the request to the last byte of the answer. */
  readonly milliseconds: number;
  /** What the engine took, if it ran. */
  readonly engineMilliseconds: number | undefined;
  /** The slices that the engine read, if it did. */
  readonly slices: SliceFacts | undefined;
  readonly bytesProcessed: number | undefined;
  readonly bytesBilled: number | undefined;
}

/** See docs/slices.md. */
interface SliceFacts {
  readonly kept: number;
  readonly made: number;
}

/** Reads the headers of docs/rest.md and docs/caching.md. */
export function readFacts(
  headers: Headers,
  measured: Pick<AnswerFacts, 'rows' | 'milliseconds'>,
): AnswerFacts {
  return {
    ...measured,
    truncated: headers.get('x-result-truncated') === 'true',
    source: sourceOf(headers.get('cache-status') ?? ''),
    age: numberOf(headers.get('age')) ?? 0,
    engineMilliseconds: engineTime(headers.get('server-timing') ?? ''),
    slices: slicesOf(headers.get('server-timing') ?? ''),
    bytesProcessed: numberOf(headers.get('x-bytes-processed')),
    bytesBilled: numberOf(headers.get('x-bytes-billed')),
  };
}

function sourceOf(cacheStatus: string): AnswerFacts['source'] {
  if (/;\s*hit\b/.test(cacheStatus)) return 'cache';
  if (/fwd=stale/.test(cacheStatus)) return 'stale';
  return /;\s*collapsed\b/.test(cacheStatus) ? 'shared' : 'engine';
}

function engineTime(serverTiming: string): number | undefined {
  const [, milliseconds] = /\bengine;dur=([\d.]+)/.exec(serverTiming) ?? [];
  return numberOf(milliseconds ?? null);
}

function slicesOf(serverTiming: string): SliceFacts | undefined {
  const found = /\bslices;desc="(\d+) kept, (\d+) made"/.exec(serverTiming);
  return found === null ? undefined : { kept: Number(found[1]), made: Number(found[2]) };
}

function numberOf(text: string | null): number | undefined {
  const number = text === null || text === '' ? Number.NaN : Number(text);
  return Number.isFinite(number) ? number : undefined;
}
