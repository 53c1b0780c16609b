import { JsFunction } from '../js/js-function.ts';
import { bytes, int64 } from '../js/js-type.ts';

/*
 * FarmHash's Fingerprint64 (github.com/google/farmhash, farmhashna::Hash64), on unsigned 64-bit words.
 */

const k0 = 0xc3a5c85c97cb3127n;
const k1 = 0xb492b66fbe98f273n;
const k2 = 0x9ae16a3b2f90404fn;

const word = (value: bigint) => BigInt.asUintN(64, value);
const rotate = (value: bigint, by: bigint) => word((value >> by) | (value << (64n - by)));
const shiftMix = (value: bigint) => value ^ (value >> 47n);

function hash16(u: bigint, v: bigint, multiplier: bigint): bigint {
  const a = shiftMix(word((u ^ v) * multiplier));
  return word(shiftMix(word((v ^ a) * multiplier)) * multiplier);
}

type Pair = readonly [bigint, bigint];

class Fingerprint {
  readonly #view: DataView;
  readonly #length: number;

  constructor(value: Uint8Array) {
    this.#view = new DataView(value.buffer, value.byteOffset, value.byteLength);
    this.#length = value.byteLength;
  }

  compute(): bigint {
    if (this.#length <= 16) return this.#upTo16();
    if (this.#length <= 32) return this.#upTo32();
    return this.#length <= 64 ? this.#upTo64() : this.#longer();
  }

  #fetch(at: number): bigint {
    return this.#view.getBigUint64(at, true);
  }

  get #multiplier(): bigint {
    return k2 + BigInt(this.#length) * 2n;
  }

  #upTo16(): bigint {
    const length = this.#length;
    const multiplier = this.#multiplier;
    if (length >= 8) {
      const a = word(this.#fetch(0) + k2);
      const b = this.#fetch(length - 8);
      const c = word(rotate(b, 37n) * multiplier + a);
      const d = word((rotate(a, 25n) + b) * multiplier);
      return hash16(c, d, multiplier);
    }
    if (length >= 4) {
      const a = BigInt(this.#view.getUint32(0, true));
      const b = BigInt(this.#view.getUint32(length - 4, true));
      return hash16(BigInt(length) + (a << 3n), b, multiplier);
    }
    if (length === 0) return k2;
    const byte = (at: number) => this.#view.getUint8(at);
    const y = BigInt(byte(0) + (byte(length >> 1) << 8));
    const z = BigInt(length + (byte(length - 1) << 2));
    return word(shiftMix(word(y * k2) ^ word(z * k0)) * k2);
  }

  #upTo32(): bigint {
    const length = this.#length;
    const multiplier = this.#multiplier;
    const a = word(this.#fetch(0) * k1);
    const b = this.#fetch(8);
    const c = word(this.#fetch(length - 8) * multiplier);
    const d = word(this.#fetch(length - 16) * k2);
    return hash16(
      word(rotate(word(a + b), 43n) + rotate(c, 30n) + d),
      word(a + rotate(word(b + k2), 18n) + c),
      multiplier,
    );
  }

  #upTo64(): bigint {
    const length = this.#length;
    const multiplier = this.#multiplier;
    const a = word(this.#fetch(0) * k2);
    const b = this.#fetch(8);
    const c = word(this.#fetch(length - 8) * multiplier);
    const d = word(this.#fetch(length - 16) * k2);
    const y = word(rotate(word(a + b), 43n) + rotate(c, 30n) + d);
    const z = hash16(y, word(a + rotate(word(b + k2), 18n) + c), multiplier);
    const e = word(this.#fetch(16) * multiplier);
    const f = this.#fetch(24);
    const g = word((y + this.#fetch(length - 32)) * multiplier);
    const h = word((z + this.#fetch(length - 24)) * multiplier);
    return hash16(
      word(rotate(word(e + f), 43n) + rotate(g, 30n) + h),
      word(e + rotate(word(f + a), 18n) + g),
      multiplier,
    );
  }

  /** A weak hash of 32 bytes, with two seeds. */
  #weak32(at: number, seedA: bigint, seedB: bigint): Pair {
    const [w, x, y, z] = [this.#fetch(at), this.#fetch(at + 8), this.#fetch(at + 16), this.#fetch(at + 24)];
    const start = word(seedA + w);
    const b = rotate(word(seedB + start + z), 21n);
    const a = word(start + x + y);
    return [word(a + z), word(b + rotate(a, 44n) + start)];
  }

  #longer(): bigint {
    const seed = 81n;
    const end = ((this.#length - 1) >> 6) << 6;
    const last64 = this.#length - 64;
    let x = seed;
    let y = word(seed * k1 + 113n);
    let z = word(shiftMix(word(y * k2 + 113n)) * k2);
    let v: Pair = [0n, 0n];
    let w: Pair = [0n, 0n];
    x = word(x * k2 + this.#fetch(0));
    for (let at = 0; at < end; at += 64) {
      x = word(rotate(word(x + y + v[0] + this.#fetch(at + 8)), 37n) * k1);
      y = word(rotate(word(y + v[1] + this.#fetch(at + 48)), 42n) * k1);
      x ^= w[1];
      y = word(y + v[0] + this.#fetch(at + 40));
      z = word(rotate(word(z + w[0]), 33n) * k1);
      v = this.#weak32(at, word(v[1] * k1), word(x + w[0]));
      w = this.#weak32(at + 32, word(z + w[1]), word(y + this.#fetch(at + 16)));
      [z, x] = [x, z];
    }
    const multiplier = word(k1 + ((z & 0xffn) << 1n));
    w = [word(w[0] + BigInt((this.#length - 1) & 63)), w[1]];
    v = [word(v[0] + w[0]), v[1]];
    w = [word(w[0] + v[0]), w[1]];
    x = word(rotate(word(x + y + v[0] + this.#fetch(last64 + 8)), 37n) * multiplier);
    y = word(rotate(word(y + v[1] + this.#fetch(last64 + 48)), 42n) * multiplier);
    x ^= word(w[1] * 9n);
    y = word(y + v[0] * 9n + this.#fetch(last64 + 40));
    z = word(rotate(word(z + w[0]), 33n) * multiplier);
    v = this.#weak32(last64, word(v[1] * multiplier), word(x + w[0]));
    w = this.#weak32(last64 + 32, word(z + w[1]), word(y + this.#fetch(last64 + 16)));
    [z, x] = [x, z];
    return hash16(
      word(hash16(v[0], w[0], multiplier) + word(shiftMix(y) * k0) + z),
      word(hash16(v[1], w[1], multiplier) + x),
      multiplier,
    );
  }
}

export const farmFingerprint = new JsFunction('farm_fingerprint', [bytes], int64, (value) =>
  BigInt.asIntN(64, new Fingerprint(value).compute()),
);
