import { expect, test } from 'vitest';
import { HeldMemory } from '../../src/http/held-memory.ts';

test('memory is held up to the limit, refused beyond it, and there again when it was given back', () => {
  const memory = new HeldMemory(100);
  memory.take(60);
  memory.take(40);
  expect(() => memory.take(1)).toThrow(expect.objectContaining({ code: 'OVERLOADED' }));
  memory.give(10);
  // What was refused isn't counted.
  memory.take(10);
  expect(() => memory.take(1)).toThrow();
});
