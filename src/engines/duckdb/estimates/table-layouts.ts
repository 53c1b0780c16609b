import { blockRows } from '../store/tables/time-order.ts';
import { type ReadRows, readTableLayout, type TableLayout } from './table-layout.ts';

/** A table of the store. */
export interface CountedTable {
  /** The name of its source. */
  readonly name: string;
  /** Its whole name, as SQL. */
  readonly sql: string;
  /** How many rows it has now, with those that were deleted and are still scanned. */
  readonly rows: number;
}

/** A table as it is now. */
export interface PresentTable extends TableLayout {
  /** Rows that came since its layout was read. They are at its end. */
  readonly added: number;
}

interface KnownLayout {
  readonly layout: TableLayout;
  readonly version: unknown;
  /** How many rows the table had. */
  readonly rows: number;
}

/** New rows for which a layout is read again, if that takes more than some milliseconds: a row group, or this part of the rows. */
const leastRows = blockRows;
const leastShare = 0.02;
/** The layout of a table with so few columns in row groups is read again for each new row. */
const fewParts = 2_000;

/** Keeps how tables are stored, while rows are only added to them. */
export class TableLayouts {
  readonly #version: () => unknown;
  readonly #known = new Map<string, KnownLayout>();

  /** @param version changes whenever rows of tables are moved or removed; undefined if nothing is known of that */
  constructor(version: () => unknown) {
    this.#version = version;
  }

  /**
   * The layout of a table.
   *
   * @param time the name of the column by which it is ordered
   */
  async of(read: ReadRows, { sql, rows }: CountedTable, time: string | undefined): Promise<PresentTable> {
    const version = this.#version();
    const known = this.#known.get(sql);
    if (known !== undefined && version !== undefined && known.version === version) {
      const added = rows - known.rows;
      const { groups, columns } = known.layout;
      const isSmall = groups.length * columns.size <= fewParts;
      const most = isSmall ? 0 : Math.max(leastRows, known.rows * leastShare);
      if (added >= 0 && added <= most) return { ...known.layout, added };
    }
    const layout = await readTableLayout(read, sql, time);
    this.#known.set(sql, { layout, version, rows });
    return { ...layout, added: 0 };
  }
}
