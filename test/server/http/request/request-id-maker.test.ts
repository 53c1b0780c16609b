import { expect, test } from 'vitest';
import { requestIdMaker } from '../../../../src/server/http/request/request-id.ts';

test('ids are random UUIDs, each another one, beyond what is made in one go', () => {
  const makeId = requestIdMaker();
  const ids = Array.from({ length: 1_000 }, makeId);
  const form = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
  expect(ids.filter((id) => !form.test(id))).toEqual([]);
  expect(new Set(ids).size).toBe(ids.length);
  // Of those that are cut from one text, none begins as its neighbour does, but by chance.
  const alike = ids.filter((id, index) => id.slice(0, 8) === ids[index + 1]?.slice(0, 8));
  expect(alike).toEqual([]);
});
