/** The number by which DuckDB multiplies each word, as halves. */
const factor = { high: 0xbf58476d, low: 0x1ce4e5b9 };

const seed = 5381n;

/**
 * DuckDB's checksum of an entry of its write-ahead log or of a block of its file: the words of 8 bytes, each multiplied, by
 * exclusive or. What is left at the end has a hash of its own.
 */
export function checksumOf(bytes: Uint8Array): bigint {
  const words = wordsOf(bytes);
  let high = 0;
  let low = 0;
  for (let i = 0; i < words.length; i += 2) {
    multiply(words[i + 1] ?? 0, words[i] ?? 0);
    high ^= product.high;
    low ^= product.low;
  }
  const rest = bytes.subarray(words.length * 4);
  return seed ^ joined(high, low) ^ (rest.length > 0 ? hashOfRest(rest) : 0n);
}

/** The whole words of 8 bytes, as halves with the low one first. */
function wordsOf(bytes: Uint8Array): Uint32Array {
  const length = Math.floor(bytes.length / 8) * 8;
  if (bytes.byteOffset % 4 === 0) return new Uint32Array(bytes.buffer, bytes.byteOffset, length / 4);
  return new Uint32Array(Uint8Array.from(bytes.subarray(0, length)).buffer);
}

/** The result of `multiply`: an object for each word would take most of the time. */
const product = { high: 0, low: 0 };

/** A word times the factor, modulo 2^64. The low halves are multiplied in parts that a number holds exactly. */
function multiply(high: number, low: number): void {
  const upper = (low >>> 16) * factor.low;
  const carried = Math.floor(upper / 65_536);
  const sum = (low & 0xffff) * factor.low + (upper - carried * 65_536) * 65_536;
  product.low = sum >>> 0;
  product.high =
    carried + Math.floor(sum / 4_294_967_296) + Math.imul(low, factor.high) + Math.imul(high, factor.low);
}

function joined(high: number, low: number): bigint {
  return (BigInt(high >>> 0) << 32n) | BigInt(low >>> 0);
}

/** MurmurHash64A of fewer than 8 bytes, with DuckDB's seed and a further shift. */
function hashOfRest(rest: Uint8Array): bigint {
  const m = 0xc6a4a7935bd1e995n;
  const wrap = (value: bigint) => BigInt.asUintN(64, value);
  const little = rest.reduceRight((value, byte) => (value << 8n) | BigInt(byte), 0n);
  let hash = wrap((0xe17a1465n ^ wrap(BigInt(rest.length) * m) ^ little) * m);
  hash = wrap((hash ^ (hash >> 47n)) * m);
  return hash ^ (hash >> 47n);
}
