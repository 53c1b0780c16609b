import { expect, test } from 'vitest';
import { MemoryPool } from '../../../src/base/processes/memory-pool.ts';

test('memory is used again after its release, and not before', () => {
  const pool = new MemoryPool();
  const first = pool.take(100_000);
  expect(first.length).toBe(100_000);
  expect(pool.take(100_000).buffer).not.toBe(first.buffer);
  pool.release(first);
  const next = pool.take(90_000);
  expect(next.buffer).toBe(first.buffer);
  expect(next.length).toBe(90_000);
});

test('memory that is released twice is given once', () => {
  const pool = new MemoryPool();
  const first = pool.take(1);
  pool.release(first);
  pool.release(first);
  expect(pool.take(1).buffer).not.toBe(pool.take(1).buffer);
});

test('memory from elsewhere is not given', () => {
  const pool = new MemoryPool();
  const other = new Uint8Array(65_536);
  pool.release(other);
  expect(pool.take(1).buffer).not.toBe(other.buffer);
});
