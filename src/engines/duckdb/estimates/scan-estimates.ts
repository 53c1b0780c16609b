import type { Estimate, TableEstimate } from '../../engine/engine.ts';
import { quoteIdentifier } from '../dialect/duck-type.ts';
import type { EmittedQuery } from '../emit/emitter/context.ts';
import type { KeySql } from '../store/tables/key-sql.ts';
import { type PlannedScan, plannedScans, timeBoundsOf } from './planned-scans.ts';
import type { GroupTimes, ReadRows } from './table-layout.ts';
import { type CountedTable, type PresentTable, TableLayouts } from './table-layouts.ts';

interface ScanEstimatesOptions {
  /** See `TableLayouts`. */
  readonly layoutVersion: () => unknown;
  /** The key of a source's rows, by its name. */
  readonly keyOf: (source: string) => Pick<KeySql, 'timeName'>;
}

/** The store's tables, by their schemas and names. */
interface Tables {
  readonly blockBytes: number;
  readonly byName: ReadonlyMap<string, CountedTable>;
}

/** What a scan reads of a table. */
interface ScannedPart {
  readonly table: CountedTable;
  /** The name of the column by which it is ordered. */
  readonly time: string | undefined;
  readonly layout: PresentTable;
  readonly columns: readonly string[];
  /** The row groups, by their places. */
  readonly groups: ReadonlySet<number>;
}

/**
 * Estimates what queries read at most. DuckDB's own plan says which columns each scan reads, and which bounds of time it skips row
 * groups by; these are compared with the row groups of the tables, as a run does. Other conditions may let a run skip more. What
 * slices save isn't counted.
 */
export class ScanEstimates {
  readonly #layouts: TableLayouts;
  readonly #keyOf: ScanEstimatesOptions['keyOf'];

  constructor({ layoutVersion, keyOf }: ScanEstimatesOptions) {
    this.#layouts = new TableLayouts(layoutVersion);
    this.#keyOf = keyOf;
  }

  /**
   * Estimates a query without slices.
   *
   * @param read in the snapshot of the store for which the SQL is
   */
  async of({ sql, late }: Pick<EmittedQuery, 'sql' | 'late'>, read: ReadRows): Promise<Estimate> {
    const scans = await scansOf(sql, read);
    // Columns of the first statement's rows, which are in row groups that it has read.
    const lateScans: PlannedScan[] = [];
    for (const { sqlFor } of late) lateScans.push(...(await scansOf(sqlFor([0n]), read)));
    if (scans.length === 0) return { rows: 0, bytesProcessed: 0, tables: [] };
    const tables = await tablesNow(read);
    const parts: ScannedPart[] = [];
    for (const scan of scans) parts.push(await this.#part(scan, tables, read));
    for (const scan of lateScans) {
      const part = await this.#part(scan, tables, read);
      const same = parts.filter(({ table }) => table === part.table);
      parts.push({ ...part, groups: new Set(same.flatMap(({ groups }) => [...groups])) });
    }
    const byTable = Map.groupBy(parts, ({ table }) => table.name);
    const estimated = [...byTable].map(([name, some]) => tableEstimate(name, some, tables.blockBytes));
    const isKnown = !scans.some(({ isRepeated }) => isRepeated);
    const sum = (key: 'rows' | 'bytes') => estimated.reduce((total, each) => total + each[key], 0);
    return {
      rows: isKnown ? sum('rows') : undefined,
      bytesProcessed: isKnown ? sum('bytes') : undefined,
      tables: estimated.sort((one, other) => other.bytes - one.bytes || other.rows - one.rows),
    };
  }

  async #part(scan: PlannedScan, { byName }: Tables, read: ReadRows): Promise<ScannedPart> {
    const table = byName.get(keyOf(namesIn(scan.table).slice(-2)));
    if (table === undefined) throw new Error(`A plan reads the unknown table ${scan.table}`);
    const { timeName: time } = this.#keyOf(table.name);
    const layout = await this.#layouts.of(read, table, time);
    const { from, to } = time === undefined ? noBounds : timeBoundsOf(scan, time);
    const isWithin = (group: GroupTimes) =>
      (from === undefined || group.to === undefined || group.to >= from) &&
      (to === undefined || group.from === undefined || group.from <= to);
    // New rows are added to the last one.
    const isOpen = (place: number) => layout.added > 0 && place === layout.groups.length - 1;
    const groups = [...layout.groups.keys()].filter(
      (place) => isOpen(place) || isWithin(layout.groups[place] as GroupTimes),
    );
    const columns = usedColumns(scan, [...layout.columns.keys()]);
    return { table, time, layout, columns, groups: new Set(groups) };
  }
}

const noBounds = { from: undefined, to: undefined };

async function scansOf(sql: string, read: ReadRows): Promise<PlannedScan[]> {
  // DuckDB writes each filter in a line. With a line break in a caller's text, lines could be anything.
  const areClear = !sql.includes('\n');
  let scans: PlannedScan[] = [];
  await read(`EXPLAIN (FORMAT json) ${sql}`, (chunk) => {
    scans = chunk.getRows().flatMap(([, json]) => plannedScans(String(json), areClear));
  });
  return scans;
}

/** The tables of the store. Takes some milliseconds. */
async function tablesNow(read: ReadRows): Promise<Tables> {
  const byName = new Map<string, CountedTable>();
  let blockBytes = 0;
  const sql = `
    SELECT schema_name, table_name, estimated_size,
      (SELECT max(block_size) FROM pragma_database_size() WHERE database_name = current_database())
    FROM duckdb_tables() WHERE database_name = current_database()`;
  await read(sql, (chunk) => {
    for (const [schema, name, rows, bytes] of chunk.getRows()) {
      const names = [String(schema), String(name)];
      const sql = names.map(quoteIdentifier).join('.');
      byName.set(keyOf(names), { name: String(name), sql, rows: Number(rows) });
      blockBytes = Number(bytes);
    }
  });
  return { blockBytes, byName };
}

/** The names in a whole name, of which DuckDB quotes some. */
function namesIn(name: string): string[] {
  const parts = name.match(/"(?:[^"]|"")*"|[^."]+/g) ?? [];
  return parts.map((part) => (part.startsWith('"') ? part.slice(1, -1).replaceAll('""', '"') : part));
}

function keyOf(names: readonly string[]): string {
  return JSON.stringify(names);
}

/** The columns that a scan reads, and no less: all of them if it names one that the table doesn't have. */
function usedColumns({ columns, filters }: PlannedScan, all: readonly string[]): readonly string[] {
  const known = new Set(all);
  const rowId = 'rowid';
  if (columns.some((name) => name !== rowId && !known.has(name))) return all;
  const used = new Set(columns);
  for (const filter of filters) {
    const [name] = all.filter((each) => filter.startsWith(each)).sort((a, b) => b.length - a.length);
    if (name !== undefined) used.add(name);
    else for (const each of all) if (filter.includes(each)) used.add(each);
  }
  return [...used];
}

/** In memory, where they aren't compressed, so many values of a column take a block at least. */
const valuesOfBlock = 8_192;

function tableEstimate(name: string, parts: readonly ScannedPart[], blockBytes: number): TableEstimate {
  let [rows, blocks] = [0, 0];
  for (const { layout, columns, groups } of parts) {
    rows += layout.groups.reduce(
      (sum, group, place) => sum + (groups.has(place) ? group.rows : 0),
      layout.added,
    );
    const read = new Set<number>();
    for (const column of columns) {
      const placed = layout.columns.get(column);
      placed?.groups.forEach((group, i) => {
        if (groups.has(group)) read.add(placed.blocks[i] ?? 0);
      });
    }
    blocks += read.size + Math.ceil(layout.added / valuesOfBlock) * columns.length;
  }
  const time = parts.find((part) => part.time !== undefined)?.time;
  const isWhole = parts.some(({ layout, groups }) => groups.size === layout.groups.length);
  return { name, rows, bytes: blocks * blockBytes, isWhole, ...(time !== undefined && { time }) };
}
