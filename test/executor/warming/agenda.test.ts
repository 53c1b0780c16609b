import { expect, it } from 'vitest';
import { Agenda } from '../../../src/executor/warming/agenda.ts';

const item = (name: string) => ({ name });

it('gives what is due, the earliest first, and each item once', () => {
  const agenda = new Agenda<{ name: string }>();
  agenda.set(item('c'), 1_300);
  agenda.set(item('a'), 1_100);
  agenda.set(item('later'), 9_000);
  agenda.set(item('b'), 1_200);
  expect(agenda.take(1_000)).toEqual([]);
  expect(agenda.take(1_300).map(({ name }) => name)).toEqual(['a', 'b', 'c']);
  expect(agenda.take(1_300)).toEqual([]);
  expect(agenda.size).toBe(1);
});

it('gives what is put down for the past the next time', () => {
  const agenda = new Agenda<{ name: string }>();
  agenda.take(5_000);
  agenda.set(item('late'), 1_000);
  expect(agenda.take(5_050)).toEqual([]);
  expect(agenda.take(5_100)).toEqual([item('late')]);
});

it('has an item once: a new time takes the place of the old one', () => {
  const agenda = new Agenda<{ name: string }>();
  const moved = item('moved');
  const removed = item('removed');
  agenda.set(moved, 1_000);
  agenda.set(moved, 2_000);
  agenda.set(removed, 1_000);
  agenda.delete(removed);
  expect(agenda.take(1_500)).toEqual([]);
  expect(agenda.take(2_000)).toEqual([moved]);
  expect(agenda.size).toBe(0);
});

it('bears that the clock leaps', () => {
  const agenda = new Agenda<{ name: string }>();
  agenda.take(0);
  agenda.set(item('soon'), 1_000);
  agenda.set(item('in a year'), 31_536_000_000);
  expect(agenda.take(31_536_000_000_000).map(({ name }) => name)).toEqual(['soon', 'in a year']);
  agenda.set(item('after going back'), 2_000);
  expect(agenda.take(3_000)).toEqual([]);
  expect(agenda.take(31_536_000_000_100)).toEqual([item('after going back')]);
});
