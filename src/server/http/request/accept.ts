import { LRUCache } from 'lru-cache';

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

/** Returns the weight of each item of an `Accept` or `Accept-Encoding` header. Source: RFC 9110, section 12.4.2. */
export function acceptWeights(header = ''): ReadonlyMap<string, number> {
  return new Map(
    header
      .toLowerCase()
      .split(',')
      .map((item) => {
        const [name = '', ...parameters] = item.split(';').map((part) => part.trim());
        const weight = parameters.find((parameter) => parameter.startsWith('q='));
        return [name, weight === undefined ? 1 : Number(weight.slice(2)) || 0];
      }),
  );
}
