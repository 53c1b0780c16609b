import { expect, it } from 'vitest';
import { Schedule } from '../../../src/calls/warming/schedule.ts';

const item = (name: string) => ({ name });

it('gives what is due, the earliest first, and each item once', () => {
  const schedule = new Schedule<{ name: string }>();
  schedule.set(item('c'), 1_300);
  schedule.set(item('a'), 1_100);
  schedule.set(item('later'), 9_000);
  schedule.set(item('b'), 1_200);
  expect(schedule.take(1_000)).toEqual([]);
  expect(schedule.take(1_300).map(({ name }) => name)).toEqual(['a', 'b', 'c']);
  expect(schedule.take(1_300)).toEqual([]);
  expect(schedule.size).toBe(1);
});

it('gives what is put down for the past the next time', () => {
  const schedule = new Schedule<{ name: string }>();
  schedule.take(5_000);
  schedule.set(item('late'), 1_000);
  expect(schedule.take(5_050)).toEqual([]);
  expect(schedule.take(5_100)).toEqual([item('late')]);
});

it('has an item once: a new time takes the place of the old one', () => {
  const schedule = new Schedule<{ name: string }>();
  const moved = item('moved');
  const removed = item('removed');
  schedule.set(moved, 1_000);
  schedule.set(moved, 2_000);
  schedule.set(removed, 1_000);
  schedule.delete(removed);
  expect(schedule.take(1_500)).toEqual([]);
  expect(schedule.take(2_000)).toEqual([moved]);
  expect(schedule.size).toBe(0);
});

it('bears that the clock leaps', () => {
  const schedule = new Schedule<{ name: string }>();
  schedule.take(0);
  schedule.set(item('soon'), 1_000);
  schedule.set(item('in a year'), 31_536_000_000);
  expect(schedule.take(31_536_000_000_000).map(({ name }) => name)).toEqual(['soon', 'in a year']);
  schedule.set(item('after going back'), 2_000);
  expect(schedule.take(3_000)).toEqual([]);
  expect(schedule.take(31_536_000_000_100)).toEqual([item('after going back')]);
});
