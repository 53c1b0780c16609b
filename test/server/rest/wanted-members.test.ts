import fc from 'fast-check';
import { expect, test } from 'vitest';
import { JsonFault } from '../../../src/base/text/json-reader.ts';
import { wantedMembers } from '../../../src/server/rest/parameters/wanted-members.ts';

const wanted = new Set(['a', 'b', '__proto__', '']);

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The same members as JSON.parse finds, and none of what it doesn't take. */
async function expectTheSame(text: string): Promise<void> {
  const json = parsed(text);
  if (json === undefined) {
    await expect(wantedMembers(text, wanted), text).rejects.toThrow(JsonFault);
    return;
  }
  const isObject = typeof json === 'object' && json !== null && !Array.isArray(json);
  const members = Object.entries(isObject ? json : {}).filter(([key]) => wanted.has(key));
  const found = [...(await wantedMembers(text, wanted)).wanted].map(([key, source]) => [
    key,
    JSON.parse(source),
  ]);
  expect(Object.fromEntries(found), text).toEqual(Object.fromEntries(members));
}

const spaced = fc.constantFrom(undefined, 1, '\t', '\n ');
const value = fc.oneof(
  fc.jsonValue(),
  fc.dictionary(fc.constantFrom('a', 'b', 'c', '', '__proto__', '"', '\\'), fc.jsonValue()),
);

test('reads what JSON.parse reads', async () => {
  await fc.assert(
    fc.asyncProperty(value, spaced, (json, space) => expectTheSame(JSON.stringify(json, undefined, space))),
    { numRuns: 1000 },
  );
});

test('refuses what JSON.parse refuses', async () => {
  const piece = fc.constantFrom(
    ...'{}[]",:\\ \n\u0000',
    '01',
    '-',
    '1e',
    '.5',
    'nul',
    'true',
    '\\u00g0',
    '\u00a0',
    '"a"',
  );
  const broken = fc.tuple(value, fc.nat(), fc.nat(3), piece).map(([json, place, cut, inserted]) => {
    const text = JSON.stringify(json);
    const at = place % (text.length + 1);
    return text.slice(0, at) + inserted + text.slice(at + cut);
  });
  await fc.assert(fc.asyncProperty(broken, expectTheSame), { numRuns: 3000 });
});

test.each(['{"a":9007199254740993,"b":1e400}', '', ' ', '{"a":1}}', '[{"a":1}]', '{"c":{"a":1}}'])(
  '%j',
  (text) => expectTheSame(text),
);

test('takes the last of a member that occurs twice, however it is written', async () => {
  const members = await wantedMembers('{"a":1,"\\u0061":2}', wanted);
  expect([...members.wanted]).toEqual([['a', '2']]);
});

test('names the members that occur several times', async () => {
  const { repeated } = await wantedMembers('{"a":1,"c":1,"b":{"a":1},"c":2,"\\u0061":1}', wanted);
  expect([...repeated]).toEqual(['a']);
});

test('makes nothing of what nobody wants', async () => {
  const brackets = '['.repeat(1_000_000) + ']'.repeat(1_000_000);
  const members = await wantedMembers(`{"a":1,"c":${brackets},"d":[${'{},'.repeat(1_000_000)}1]}`, wanted);
  expect([...members.wanted]).toEqual([['a', '1']]);
});

test('lets others go on while it reads a large body', async () => {
  let turns = 0;
  const counting = setInterval(() => turns++, 0);
  const members = await wantedMembers(`{${'"k":{"x":1},'.repeat(800_000)}"a":7}`, wanted);
  clearInterval(counting);
  expect([...members.wanted]).toEqual([['a', '7']]);
  expect([...members.others]).toEqual(['k']);
  expect(turns).toBeGreaterThan(2);
});
