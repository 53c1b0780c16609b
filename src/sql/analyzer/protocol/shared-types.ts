import type protobuf from 'protobufjs';

/** Shorter types cost as much to find as to read. */
const minBytes = 64;

/** How many types of one length are compared. */
const maxOfLength = 16;

interface KnownType {
  readonly bytes: Uint8Array;
  readonly message: protobuf.Message;
}

/**
 * Makes equal types of an answer one object. The analyzer repeats the type of a record twice for each reference to it: one of 800
 * fields that is named 250 times makes an answer of 8 MB, most of which takes no time and no memory like this.
 */
export class SharedTypes {
  #known = new Map<number, KnownType[]>();
  #objects = new WeakMap<object, { [name: string]: unknown }>();

  /** @param type the message that describes a type, whose decoder is replaced */
  constructor(type: protobuf.Type) {
    const { decode, toObject } = type.setup();
    type.decode = (reader, length, ...others: unknown[]) => {
      if (reader instanceof Uint8Array || length === undefined || length < minBytes)
        return Reflect.apply(decode, type, [reader, length, ...others]) as protobuf.Message;
      const bytes = reader.buf.subarray(reader.pos, reader.pos + length);
      const same = this.#known.get(length) ?? [];
      const found = same.find((known) => Buffer.compare(known.bytes, bytes) === 0);
      if (found !== undefined) {
        reader.skip(length);
        return found.message;
      }
      const message = Reflect.apply(decode, type, [reader, length, ...others]) as protobuf.Message;
      if (same.length < maxOfLength) this.#known.set(length, [...same, { bytes, message }]);
      return message;
    };
    type.toObject = (message, options) => {
      const known = this.#objects.get(message);
      if (known !== undefined) return known;
      const object = Reflect.apply(toObject, type, [message, options]) as { [name: string]: unknown };
      this.#objects.set(message, object);
      return object;
    };
  }

  /** Reads one answer. */
  within<Result>(read: () => Result): Result {
    try {
      return read();
    } finally {
      this.#known = new Map();
      this.#objects = new WeakMap();
    }
  }
}
