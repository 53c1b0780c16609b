/*
 * The hash function Fingerprint2011, which Guava documents as Hashing.fingerprint2011(), on unsigned 64-bit words.
 */

const k0 = 0xa5b85c5e198ed849n;
const k1 = 0x8d58ac26afe12e47n;
const k2 = 0xc47b6e9e3a970ed3n;
const k3 = 0xc6a4a7935bd1e995n;
const shortSeed = k0 ^ k1 ^ k2;

const word = (value: bigint) => BigInt.asUintN(64, value);
const rotate = (value: bigint, by: bigint) => word((value >> by) | (value << (64n - by)));
const mixed = (value: bigint) => value ^ (value >> 47n);

/** One word from two. */
function joined(high: bigint, low: bigint): bigint {
  const a = mixed(word((low ^ high) * k3));
  return word(mixed(word((high ^ a) * k3)) * k3);
}

class Bytes {
  readonly #view: DataView;
  readonly length: number;

  constructor(value: Uint8Array) {
    this.#view = new DataView(value.buffer, value.byteOffset, value.byteLength);
    this.length = value.byteLength;
  }

  at(offset: number): bigint {
    return this.#view.getBigUint64(offset, true);
  }

  fromEnd(offset: number): bigint {
    return this.at(this.length - offset);
  }

  /** The last bytes, fewer than eight. */
  rest(offset: number): bigint {
    let value = 0n;
    for (let i = this.length - 1; i >= offset; i--) value = (value << 8n) | BigInt(this.#view.getUint8(i));
    return value;
  }
}

/** Up to 32 bytes. */
function short(bytes: Bytes): bigint {
  const aligned = bytes.length & ~7;
  let hash = shortSeed ^ word(BigInt(bytes.length) * k3);
  for (let i = 0; i < aligned; i += 8) hash = word((hash ^ word(mixed(word(bytes.at(i) * k3)) * k3)) * k3);
  if (aligned < bytes.length) hash = word((hash ^ bytes.rest(aligned)) * k3);
  return mixed(word(mixed(hash) * k3));
}

/** A pair of words from four, of which the second may be followed by others. */
function quarters(a: bigint, b: bigint, c: bigint, d: bigint): readonly [bigint, bigint] {
  const ab = word(a + b);
  const abc = word(ab + c);
  const turned = word(rotate(a, 37n) + rotate(ab, 7n));
  return [word(abc + d), word(rotate(word(a + d), 52n) + rotate(abc, 31n) + turned)];
}

/** 33 to 64 bytes. */
function middle(bytes: Bytes): bigint {
  const first = word(bytes.at(0) + (BigInt(bytes.length) + bytes.fromEnd(16)) * k0);
  const [vf, vs] = quarters(first, bytes.at(8), bytes.at(16), bytes.at(24));
  const second = word(bytes.at(16) + bytes.fromEnd(32));
  const [wf, ws] = quarters(second, bytes.fromEnd(24), bytes.fromEnd(16), bytes.fromEnd(8));
  const r = mixed(word((vf + ws) * k2 + (wf + vs) * k0));
  return word(mixed(word(r * k0 + vs)) * k2);
}

function weak(bytes: Bytes, offset: number, seedA: bigint, seedB: bigint): readonly [bigint, bigint] {
  const last = bytes.at(offset + 24);
  const a = word(seedA + bytes.at(offset));
  const b = rotate(word(seedB + a + last), 51n);
  const c = word(a + bytes.at(offset + 8) + bytes.at(offset + 16));
  return [word(c + last), word(b + rotate(c, 23n) + a)];
}

/** More than 64 bytes: the end first, then blocks of 64. */
function long(bytes: Bytes): bigint {
  const { length } = bytes;
  let x = bytes.at(0);
  let y = bytes.fromEnd(16) ^ k1;
  let z = bytes.fromEnd(56) ^ k0;
  let v = weak(bytes, length - 64, BigInt(length), y);
  let w = weak(bytes, length - 32, word(BigInt(length) * k1), k0);
  z = word(z + mixed(v[1]) * k1);
  x = word(rotate(word(z + x), 39n) * k1);
  y = word(rotate(y, 33n) * k1);
  const end = (length - 1) & ~63;
  for (let i = 0; i < end; i += 64) {
    x = word(rotate(word(x + y + v[0] + bytes.at(i + 16)), 37n) * k1) ^ w[1];
    y = word(rotate(word(y + v[1] + bytes.at(i + 48)), 42n) * k1) ^ v[0];
    z = rotate(z ^ w[0], 33n);
    v = weak(bytes, i, word(v[1] * k1), word(x + w[0]));
    w = weak(bytes, i + 32, word(z + w[1]), y);
    [z, x] = [x, z];
  }
  const high = word(joined(v[0], w[0]) + mixed(y) * k1 + z);
  return joined(high, word(joined(v[1], w[1]) + x));
}

/** The hash of some bytes, unsigned. */
export function fingerprint2011(value: Uint8Array): bigint {
  const bytes = new Bytes(value);
  const { length } = bytes;
  const hash = length <= 32 ? short(bytes) : length <= 64 ? middle(bytes) : long(bytes);
  const low = length >= 8 ? bytes.at(0) : k0;
  const more = length >= 9 ? bytes.fromEnd(8) : k0;
  const result = joined(word(hash + more), low);
  return result <= 1n ? word(result - 2n) : result;
}
