import { LRUCache } from 'lru-cache';
import { acceptWeights } from './accept-weights.ts';

/** Smaller bodies, in bytes, fit one packet and gain nothing from compression. */
export const worthCompressing = 1_400;

/** Most of the gain of gzip's default level in half of its time. */
export const gzipLevel = 3;

/** Clients send only a handful of different headers. */
const answers = new LRUCache<string, boolean>({
  max: 100,
  memoMethod(header) {
    const weights = acceptWeights(header);
    return (weights.get('gzip') ?? weights.get('*') ?? 0) > 0;
  },
});

/** Source: RFC 9110, section 12.5.3: the weight of gzip, else of `*`, must not be zero. */
export function acceptsGzip(header: string | undefined): boolean {
  return header !== undefined && answers.memo(header);
}
