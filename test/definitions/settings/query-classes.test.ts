import { expect, test } from 'vitest';
import { readConfig } from '../../../src/app/engines/registry.ts';

const read = (text: string) => readConfig({ API_KEY: 'k', QUERY_CLASSES: text }).queryClasses;

test('QUERY_CLASSES says what differs from the defaults', () => {
  const reservation = 'projects/p/locations/eu/reservations/r';
  expect(read('')).toEqual({
    ...{ interactive: { weight: 16 }, default: { weight: 4 } },
    background: { weight: 1 },
  });
  expect(
    read(
      `interactive.weight=32, background.permits=2,background.waiting=0,background.timeoutSeconds=1.5,background.priority=batch,background.reservation=${reservation}`,
    ),
  ).toEqual({
    ...{ interactive: { weight: 32 }, default: { weight: 4 } },
    background: { weight: 1, permits: 2, waiting: 0, timeoutSeconds: 1.5, priority: 'batch', reservation },
  });
});

test.each([
  ['background', 'expected <class>.<property>=<value>, got "background"'],
  ['batch.permits=2', 'there is no class "batch"; the classes are interactive, default, background'],
  ['default.limit=2', 'a class has no property "limit", only weight, permits, waiting, timeoutSeconds'],
  ['default.constructor=2', 'a class has no property "constructor"'],
  ['default.weight=0', 'default.weight: expected a whole number from 1 to 1000, got "0"'],
  ['default.permits=x', 'default.permits: expected a whole number from 1 to 1000, got "x"'],
  ['default.timeoutSeconds=4000', 'expected a number from 0.001 to 3600, got "4000"'],
  ['default.priority=low', 'default.priority: expected interactive or batch, got "low"'],
  ['default.reservation=r', 'default.reservation: expected projects/<project>'],
  ['default.weight=1,default.weight=2', '"default.weight" appears twice'],
])('%s is refused by name', (text, problem) => {
  expect(() => read(text)).toThrow(problem);
  expect(() => read(text)).toThrow('QUERY_CLASSES');
});
