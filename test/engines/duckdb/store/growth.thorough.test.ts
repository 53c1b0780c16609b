import { joinRanges } from '../../../../src/engines/duckdb/store/insert/time-ranges.ts';
import { needsRewrite } from '../../../../src/engines/duckdb/store/tables/time-order.ts';
import { groupsToMerge } from '../../../../src/engines/duckdb/store/upkeep/row-groups.ts';
import { blocksToCluster } from '../../../../src/engines/duckdb/store/upkeep/unclustered-rows.ts';
import { testGrowth } from '../../../support/growth.ts';

const minute = 60_000_000n;
const scattered = (i: number) => BigInt((i * 2_654_435_761) % 4_294_967_296);
const many = <Item>(size: number, item: (i: number) => Item) =>
  Array.from({ length: size }, (_, i) => item(i));
const sizes = { size: 2_000, maxSize: 200_000 };

testGrowth(
  'Joining the ranges of batches',
  {
    'ranges in no order': (size) =>
      many(size, (i) => [{ from: scattered(i) * minute, to: scattered(i) * minute + 1n }]),
    'ranges apart': (size) =>
      many(size, (i) => [{ from: BigInt(i) * 3n * minute, to: BigInt(i) * 3n * minute }]),
    'ranges within each other': (size) => many(size, (i) => [{ from: -BigInt(i), to: BigInt(i) }]),
  },
  joinRanges,
  sizes,
);

testGrowth(
  'Choosing what compaction writes',
  {
    'blocks in no order': (size) => many(size, scattered),
    'blocks in the wrong order': (size) => many(size, (i) => BigInt(size - i)),
    'blocks of one time': (size) => many(size, () => 0n),
  },
  (times) => {
    needsRewrite(times.map((time) => ({ rows: 100, min: time, max: time + 3n })));
    const places = times.map((_, i) => ({ from: BigInt(i), to: BigInt(i + 1) }));
    groupsToMerge(
      places.map(({ from, to }, i) => ({ firstRow: from, endRow: to, rows: Number((times[i] ?? 0n) % 9n) })),
    );
    blocksToCluster(
      places.map((place) => ({ ...place, rows: 100, unclustered: 50 })),
      true,
    );
  },
  sizes,
);
