import { expect, test } from 'vitest';
import { BodyMemory } from '../../src/http/body-memory.ts';

test('memory is reserved up to the limit, refused beyond it, and available again once released', () => {
  const memory = new BodyMemory(100);
  memory.reserve(60);
  memory.reserve(40);
  expect(() => memory.reserve(1)).toThrow(expect.objectContaining({ code: 'OVERLOADED' }));
  memory.release(10);
  // The refused reservation isn't counted.
  memory.reserve(10);
  expect(() => memory.reserve(1)).toThrow();
});
