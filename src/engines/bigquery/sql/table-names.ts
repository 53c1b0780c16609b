/** Where a table is in BigQuery. */
export interface TableName {
  /** An old project has its domain in it: `example.com:logs`. */
  readonly project: string;
  readonly dataset: string;
  readonly table: string;
}

/** The table in which a source's rows are. */
export type TableNames = (source: string) => TableName;

/** How sources are mapped to tables, in the forms of the settings. */
export interface TableMapping {
  /** The project of the jobs: that of every dataset that names none. */
  readonly project: string;
  /** `dataset` or `project.dataset`: where tables are that are called as their sources. */
  readonly dataset: string;
  /** Tables elsewhere, or of another name, by source: `table`, `dataset.table` or `project.dataset.table`. */
  readonly tables: ReadonlyMap<string, string>;
}

/** The mapping of sources to tables that the settings say. */
export function tableNames({ project, dataset, tables }: TableMapping): TableNames {
  const home = { project, ...splitDataset(dataset) };
  return (source) => {
    const path = tables.get(source) ?? source;
    const dot = path.lastIndexOf('.');
    if (dot === -1) return { ...home, table: path };
    return { project, ...splitDataset(path.slice(0, dot)), table: path.slice(dot + 1) };
  };
}

/** Only a project may have dots in it. */
function splitDataset(path: string): Pick<TableName, 'dataset'> & Partial<TableName> {
  const dot = path.lastIndexOf('.');
  return dot === -1 ? { dataset: path } : { project: path.slice(0, dot), dataset: path.slice(dot + 1) };
}

/** The table as GoogleSQL names it: one quoted path, as dashes and domains demand it. */
export function quotedTable({ project, dataset, table }: TableName): string {
  return quoted(`${project}.${dataset}.${table}`);
}

/** A name as a quoted identifier. */
export function quoted(name: string): string {
  return `\`${name.replace(/[\\`]/g, '\\$&')}\``;
}

/**
 * A sentence of BigQuery's with sources in it instead of tables, for those who don't know the tables. BigQuery writes
 * them as `project:dataset.table`, `project.dataset.table` or `dataset.table`.
 */
export function withSourceNames(sentence: string, tables: Iterable<readonly [string, TableName]>): string {
  let text = sentence;
  for (const [source, { project, dataset, table }] of tables) {
    const path = `(?:${escaped(project)}[.:])?${escaped(dataset)}\\.${escaped(table)}`;
    text = text.replace(new RegExp(`(?<![\\w.:-])(\`?)${path}\\1(?![\\w-])`, 'g'), () => `logs.${source}`);
  }
  return text;
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}
