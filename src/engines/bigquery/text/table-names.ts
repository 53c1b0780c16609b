import { pathOfTable, sourceOfTable } from '../../../definitions/sources/source.ts';
import { identifier } from '../../../sql/text/identifier.ts';

/** The location of a table in BigQuery. */
export interface TableName {
  /** The name of an old project includes its domain: `example.com:logs`. */
  readonly project: string;
  readonly dataset: string;
  readonly table: string;
}

/** The table with a source's rows. The source of a wildcard table has a star: `events_*`. */
export type TableNames = (source: string) => TableName;

/** The mapping of sources to tables, as written in the settings. */
export interface TableMapping {
  /** The project of the jobs, and of datasets without a project. */
  readonly project: string;
  /** `dataset` or `project.dataset`: the location of tables that are named like their sources. */
  readonly dataset: string;
  /** Tables with another location or name, by source: `table`, `dataset.table` or `project.dataset.table`. */
  readonly tables: ReadonlyMap<string, string>;
}

/** The mapping of sources to tables according to the settings. */
export function tableNames({ project, dataset, tables }: TableMapping): TableNames {
  const home = { project, ...splitDataset(dataset) };
  return (source) => {
    const { name, isWildcard } = sourceOfTable(source);
    const path = `${tables.get(name) ?? name.replace('.', '_')}${isWildcard ? '_*' : ''}`;
    const dot = path.lastIndexOf('.');
    if (dot === -1) return { ...home, table: path };
    return { project, ...splitDataset(path.slice(0, dot)), table: path.slice(dot + 1) };
  };
}

/** Only a project can contain dots. */
function splitDataset(path: string): Pick<TableName, 'dataset'> & Partial<TableName> {
  const dot = path.lastIndexOf('.');
  return dot === -1 ? { dataset: path } : { project: path.slice(0, dot), dataset: path.slice(dot + 1) };
}

/** The table in GoogleSQL: one quoted path, which dashes and domains require. */
export function quotedTable({ project, dataset, table }: TableName): string {
  return identifier(`${project}.${dataset}.${table}`);
}

/**
 * BigQuery's message with sources in place of tables, for callers who don't know the tables. BigQuery writes tables as
 * `project:dataset.table`, `project.dataset.table` or `dataset.table`.
 */
export function withSourceNames(sentence: string, tables: Iterable<readonly [string, TableName]>): string {
  let text = sentence;
  for (const [source, { project, dataset, table }] of tables) {
    // BigQuery's messages name a table of a wildcard, too.
    const name = escaped(table).replace(/\\\*$/, '[\\w*]*');
    const path = `(?:${escaped(project)}[.:])?${escaped(dataset)}\\.${name}`;
    text = text.replace(new RegExp(`(?<![\\w.:-])(\`?)${path}\\1(?![\\w-])`, 'g'), () => pathOfTable(source));
  }
  return text;
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}
