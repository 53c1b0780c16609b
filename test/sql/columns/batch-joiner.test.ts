import fc from 'fast-check';
import { expect, test } from 'vitest';
import { BatchJoiner } from '../../../src/sql/columns/batch-joiner.ts';
import { columnsOfRows } from '../../../src/sql/columns/columns-of-rows.ts';
import { rowsOfColumns } from '../../../src/sql/columns/rows-of-columns.ts';
import { columns, rows } from '../../rows/formats/every-type.ts';

const parts = fc.array(fc.array(fc.constantFrom(...rows), { maxLength: 30 }), { minLength: 1, maxLength: 5 });

test('joined batches have the rows of all, whatever was joined before', () => {
  const joiner = new BatchJoiner();
  fc.assert(
    fc.property(parts, (given) => {
      for (const part of given) joiner.add(columnsOfRows(columns, part));
      const all = given.flat();
      expect(joiner.length).toBe(all.length);
      const joined = joiner.take();
      expect(rowsOfColumns(columns, joined)).toEqual(all);
      expect(joiner.length).toBe(0);
    }),
  );
});
