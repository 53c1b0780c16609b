import { PassThrough, Writable } from 'node:stream';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { FrameReader, readFrames } from '../../../src/base/processes/frame-reader.ts';
import { FrameWriter } from '../../../src/base/processes/frame-writer.ts';
import { type Frame, FrameError } from '../../../src/base/processes/frames.ts';
import { settled } from '../../calls/executor/support/manual-clock.ts';

const partBytes = 16;
const maxPayloadBytes = 100;

/** Keeps what is written, and is full until that is taken from it. */
class Sink extends Writable {
  readonly #written: Buffer[] = [];
  #goOn: (() => void) | undefined;
  readonly #isFull: boolean;

  constructor({ isFull = false } = {}) {
    super({ highWaterMark: 1 });
    this.#isFull = isFull;
  }

  override _writev(chunks: { chunk: Buffer }[], done: () => void): void {
    this.#written.push(...chunks.map(({ chunk }) => chunk));
    if (this.#isFull) this.#goOn = done;
    else done();
  }

  /** What was written since the last time. */
  take(): Buffer {
    const bytes = Buffer.concat(this.#written.splice(0));
    const goOn = this.#goOn;
    this.#goOn = undefined;
    goOn?.();
    return bytes;
  }
}

async function written(frames: readonly Frame[]): Promise<Buffer> {
  const sink = new Sink();
  const writer = new FrameWriter(sink, partBytes);
  for (const frame of frames) void writer.send(frame);
  await settled();
  return sink.take();
}

/** The frames of bytes that come in such pieces. */
function read(pieces: readonly Buffer[]): Frame[] {
  const frames: Frame[] = [];
  const reader = new FrameReader({ maxPayloadBytes, partBytes }, (frame) => frames.push(frame));
  for (const piece of pieces) reader.push(piece);
  reader.end();
  return frames;
}

/** A frame in a form that can be compared. */
const shown = ({ kind, id, payload }: Frame) => `${kind} ${id} ${Buffer.from(payload).toString('hex')}`;

const byId = (frames: readonly Frame[]) =>
  Object.groupBy(
    frames.map((frame) => ({ id: frame.id, text: shown(frame) })),
    ({ id }) => id,
  );

const arbitraryFrame = fc.record({
  kind: fc.integer({ min: 0, max: 127 }),
  id: fc.oneof(fc.integer({ min: 0, max: 3 }), fc.integer({ min: 0, max: 2 ** 32 - 1 })),
  payload: fc.uint8Array({ maxLength: maxPayloadBytes }),
});

function cut(bytes: Buffer, places: readonly number[]): Buffer[] {
  const sorted = [...new Set(places.map((place) => place % (bytes.length + 1)))].sort((a, b) => a - b);
  return [0, ...sorted].map((from, i) => bytes.subarray(from, sorted[i] ?? bytes.length));
}

describe('frames', () => {
  test('are the same however their bytes are cut, in the order of their id', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(arbitraryFrame), fc.array(fc.nat()), async (frames, places) => {
        const bytes = await written(frames);
        const whole = read([bytes]);
        expect(byId(whole)).toEqual(byId(frames));
        expect(read(cut(bytes, places)).map(shown)).toEqual(whole.map(shown));
      }),
    );
  });

  test('come one byte at a time', async () => {
    const frame = { kind: 127, id: 2 ** 32 - 1, payload: Buffer.alloc(2 * partBytes, 'ab') };
    const bytes = await written([frame]);
    expect(read([...bytes].map((byte) => Buffer.from([byte]))).map(shown)).toEqual([shown(frame)]);
  });

  test('have a header of length, kind and id, and a mark where more of the payload follows', async () => {
    const bytes = await written([{ kind: 2, id: 258, payload: Buffer.from('abc') }]);
    expect(bytes.toString('hex')).toBe('000000030200000102616263');
    const parts = await written([{ kind: 2, id: 1, payload: Buffer.alloc(partBytes + 1) }]);
    expect(parts.subarray(0, 9).toString('hex')).toBe('000000108200000001');
    expect(parts.subarray(9 + partBytes, -1).toString('hex')).toBe('000000010200000001');
  });
});

describe('the reader refuses', () => {
  const part = (length: number, kind: number, id = 1, bytes = length) => {
    const header = Buffer.alloc(9);
    header.writeUInt32BE(length, 0);
    header.writeUInt8(kind, 4);
    header.writeUInt32BE(id, 5);
    return Buffer.concat([header, Buffer.alloc(bytes)]);
  };
  const full = (kind: number, id?: number) => part(partBytes, kind | 0x80, id);

  test.each<[string, Buffer[], string]>([
    [
      'a frame above a part, before its payload has come',
      [part(partBytes + 1, 1, 1, 0)],
      'Received a frame of 17 bytes; at most 16 are allowed',
    ],
    [
      'a payload above the limit, however many parts it has',
      Array.from({ length: 7 }, () => full(1)),
      'Received a payload of at least 112 bytes; at most 100 are allowed',
    ],
    [
      'another kind within a payload',
      [full(1), part(1, 2)],
      'Received a part of kind 2 within a payload of kind 1',
    ],
    [
      'a part in the middle that is not full',
      [part(partBytes - 1, 0x81)],
      'Received a part of 15 bytes in the middle of a payload',
    ],
    ['an end within a header', [part(0, 1).subarray(0, 8)], 'The connection ended within a frame'],
    ['an end within a frame', [part(5, 1, 1, 4)], 'The connection ended within a frame'],
    ['an end between the parts of a payload', [full(1)], 'The connection ended within a frame'],
  ])('%s', (_, pieces, message) => {
    expect(() => read(pieces)).toThrow(new FrameError(message));
  });

  test('any invalid input with a FrameError', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 40 })), (pieces) => {
        try {
          read(pieces.map((piece) => Buffer.from(piece)));
        } catch (error) {
          expect(error).toBeInstanceOf(FrameError);
        }
      }),
    );
  });

  test('and ends the connection with the error', async () => {
    const connection = new PassThrough();
    const errors: Error[] = [];
    connection.on('error', (error) => errors.push(error));
    const frames: Frame[] = [];
    readFrames(connection, { maxPayloadBytes, partBytes }, (frame) => frames.push(frame));
    connection.write(Buffer.concat([part(1, 1), part(partBytes + 1, 1)]));
    await settled();
    expect(frames.map(shown)).toEqual(['1 1 00']);
    expect(errors).toEqual([new FrameError('Received a frame of 17 bytes; at most 16 are allowed')]);
    expect(connection.destroyed).toBe(true);
  });
});

describe('the writer', () => {
  const large = { kind: 1, id: 1, payload: Buffer.alloc(3 * partBytes, 1) };
  const small = { kind: 2, id: 2, payload: Buffer.from('small') };

  test('lets something small go between the parts of something large, and keeps the order of each id', async () => {
    const sink = new Sink({ isFull: true });
    const writer = new FrameWriter(sink, partBytes);
    const frames: string[] = [];
    const reader = new FrameReader({ maxPayloadBytes, partBytes }, (frame) => frames.push(shown(frame)));
    const end = { kind: 3, id: 1, payload: Buffer.alloc(0) };
    for (const frame of [large, end, small]) void writer.send(frame);
    await settled();
    const taken: number[] = [];
    for (let turn = 0; turn < 5; turn++) {
      const bytes = sink.take();
      reader.push(bytes);
      taken.push(bytes.length - 9);
      await settled();
    }
    expect(taken).toEqual([partBytes, partBytes, 5, partBytes, 0]);
    expect(frames).toEqual([small, large, end].map(shown));
  });

  test('lets something small go before all that is large', async () => {
    const sink = new Sink({ isFull: true });
    const writer = new FrameWriter(sink, partBytes);
    for (const id of [1, 2, 3]) void writer.send({ ...large, id });
    for (const id of [4, 5]) void writer.send({ kind: 2, id, payload: Buffer.from('s') });
    await settled();
    const order: number[] = [];
    for (let turn = 0; turn < 11; turn++) {
      order.push(sink.take().readUInt32BE(5));
      await settled();
    }
    expect(order).toEqual([1, 4, 5, 1, 2, 3, 1, 2, 3, 2, 3]);
  });

  test('says when the stream is full, and when it takes more', async () => {
    const sink = new Sink({ isFull: true });
    const writer = new FrameWriter(sink, partBytes);
    let goesOn = false;
    void writer.send(large)?.then(() => {
      goesOn = true;
    });
    for (let part = 0; part < 3; part++) {
      await settled();
      expect(goesOn).toBe(false);
      sink.take();
    }
    await settled();
    expect(goesOn).toBe(true);
    const roomy = new FrameWriter(new PassThrough({ highWaterMark: 1000 }), partBytes);
    expect(roomy.send(small)).toBeUndefined();
  });

  test('reports the end of the connection to waiting and later senders', async () => {
    const sink = new Sink({ isFull: true });
    const writer = new FrameWriter(sink, partBytes);
    void writer.send(large);
    const waits = writer.send(small);
    sink.destroy();
    await expect(waits).rejects.toThrow(new FrameError('The connection has ended'));
    expect(() => writer.send(small)).toThrow(new FrameError('The connection has ended'));
  });

  test('refuses a kind that a frame cannot have', () => {
    const writer = new FrameWriter(new Sink(), partBytes);
    for (const kind of [-1, 1.5, 128]) expect(() => writer.send({ ...small, kind })).toThrow(RangeError);
  });
});

test('the sender learns when all of a payload was written', async () => {
  const sink = new Sink({ isFull: true });
  const writer = new FrameWriter(sink, partBytes);
  let isWritten = false;
  void writer.send({ kind: 1, id: 1, payload: Buffer.alloc(2 * partBytes) }, () => (isWritten = true));
  for (let part = 0; part < 2; part++) {
    await settled();
    expect(isWritten).toBe(false);
    sink.take();
  }
  await settled();
  sink.take();
  await settled();
  expect(isWritten).toBe(true);
});

test('a payload that comes in several pieces is in the memory given for its kind', () => {
  const memory = new Uint8Array(3);
  const asked: [number, number][] = [];
  const frames: Frame[] = [];
  const allocate = (bytes: number, kind: number) => {
    asked.push([bytes, kind]);
    return memory;
  };
  const reader = new FrameReader({ maxPayloadBytes, partBytes, allocate }, (frame) => frames.push(frame));
  for (const piece of [[0, 0, 0, 3, 5, 0, 0], [0, 7, 1], [2], [3, 0]]) reader.push(Buffer.from(piece));
  expect(asked).toEqual([[3, 5]]);
  expect(frames).toEqual([{ kind: 5, id: 7, payload: memory }]);
  expect([...memory]).toEqual([1, 2, 3]);
});
