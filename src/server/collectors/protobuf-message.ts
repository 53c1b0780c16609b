/** A field of a message: a whole number that isn't negative, a text, or a message. */
interface ProtobufField {
  readonly field: number;
  readonly value: number | string | Buffer;
}

/**
 * A protobuf message: https://protobuf.dev/programming-guides/encoding/. OTLP's answers have two fields, so they need no
 * library, which would take the process 10 MB.
 */
export function protobufMessage(fields: readonly ProtobufField[]): Buffer {
  return Buffer.concat(
    fields.flatMap(({ field, value }) => {
      if (typeof value === 'number') return [varint(field << 3), varint(value)];
      const bytes = Buffer.from(value);
      return [varint((field << 3) | 2), varint(bytes.length), bytes];
    }),
  );
}

function varint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  while (rest > 127) {
    bytes.push((rest % 128) + 128);
    rest = Math.floor(rest / 128);
  }
  bytes.push(rest);
  return Buffer.from(bytes);
}
