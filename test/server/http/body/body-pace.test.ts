import { describe, expect, test } from 'vitest';
import { BodyPace } from '../../../../src/server/http/body/body-stream.ts';

describe('the pace of a body', () => {
  const limits = { bytesPerSecond: 1000, windowMs: 10_000 };

  test('is not looked at before a window of waiting is over', () => {
    const pace = new BodyPace(limits);
    expect(pace.add(9_999, 0)).toBe(true);
    expect(pace.windowLeftMs).toBe(1);
    expect(pace.add(1, 0)).toBe(false);
  });

  test('is high enough with as many bytes a second, and too low with one byte less', () => {
    expect(new BodyPace(limits).add(10_000, 10_000)).toBe(true);
    expect(new BodyPace(limits).add(10_000, 9_999)).toBe(false);
    expect(new BodyPace(limits).add(20_000, 19_999)).toBe(false);
  });

  test("starts again with each window: earlier bytes don't count", () => {
    const pace = new BodyPace(limits);
    expect(pace.add(10_000, 1_000_000)).toBe(true);
    expect(pace.windowLeftMs).toBe(10_000);
    expect(pace.add(10_000, 100)).toBe(false);
  });

  test('is about time in which the reader waited: what was there already costs none', () => {
    const pace = new BodyPace(limits);
    for (let piece = 0; piece < 1000; piece++) expect(pace.add(0, 1)).toBe(true);
    expect(pace.windowLeftMs).toBe(10_000);
  });
});
