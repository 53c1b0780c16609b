import fc from 'fast-check';
import { expect, test } from 'vitest';
import { mergeFields } from '../../../../src/definitions/sources/merge-fields.ts';
import { parseSource } from '../../../../src/definitions/sources/parse-source.ts';
import type { Source } from '../../../../src/definitions/sources/source.ts';
import { tableFields } from '../../../../src/definitions/sources/table-field.ts';
import { appSource, parse } from './support.ts';

/** The source with the fields that a body adds to it. */
function withNewFields(source: Source, body: unknown): Source {
  const added = parse(body, source, { partial: true }).newFields.flatMap(({ fields }) => fields);
  const fields = mergeFields(tableFields(source.columns), added);
  const parsed = parseSource(
    'app',
    'app.json',
    JSON.stringify({ fields, unknownFields: 'add', conflicts: 'reject' }),
  );
  if (!('columns' in parsed)) throw new Error(JSON.stringify(parsed));
  return parsed;
}

const name = fc.constantFrom('a', 'b', 'C', 'metadata', 'headers', 'x.y');
const value = fc.letrec((tie) => ({
  any: fc.oneof(
    { maxDepth: 3, depthIdentifier: 'any' },
    fc.constantFrom(null, true, 1, -1, 1.5, 1e300, '', 'text'),
    fc.array(tie('any'), { maxLength: 3, depthIdentifier: 'any' }),
    fc.dictionary(name, tie('any'), { maxKeys: 3, depthIdentifier: 'any' }),
  ),
})).any;
const events = fc.array(fc.dictionary(name, value, { maxKeys: 4 }), { minLength: 1, maxLength: 5 });

test('with its new fields, a source needs no others for the same body, and rejects no other events', () => {
  fc.assert(
    fc.property(events, (body) => {
      const source = appSource({ unknownFields: 'add', conflicts: 'reject' });
      const before = parse(body, source, { partial: true });
      // An event that was rejected for a field of one that was rejected, too, can be accepted then, and have others.
      let grown = withNewFields(source, body);
      if (parse(body, grown, { partial: true }).newFields.length > 0) grown = withNewFields(grown, body);
      const after = parse(body, grown, { partial: true });
      expect(after.newFields).toEqual([]);
      const stored = after.sources[0]?.count ?? 0;
      expect(stored + after.rejectedCount).toBe(body.length);
      const indexes = ({ rejected }: typeof after) => rejected.map(({ index }) => index);
      // An object without fields fits as long as no accepted event gives its name another type.
      expect(indexes(before)).toEqual(expect.arrayContaining(indexes(after)));
      // Without partial, a body of which an event is rejected adds no fields.
      const whole = parse(body, source);
      expect(whole.newFields).toEqual(before.rejectedCount === 0 ? before.newFields : []);
    }),
    { numRuns: 300 },
  );
});

test('a body of one event needs its new fields once', () => {
  fc.assert(
    fc.property(fc.dictionary(name, value, { maxKeys: 4 }), (event) => {
      const source = appSource({ unknownFields: 'add', conflicts: 'reject' });
      if (parse([event], source).rejectedCount > 0) return;
      const { newFields, rejected } = parse([event], withNewFields(source, [event]));
      expect(newFields).toEqual([]);
      expect(rejected).toEqual([]);
    }),
    { numRuns: 300 },
  );
});
