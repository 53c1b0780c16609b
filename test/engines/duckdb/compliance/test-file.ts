/** A query of a compliance file of the ZetaSQL repository, with its tables as CTEs. */
export interface Section {
  readonly name: string;
  readonly sql: string;
}

interface Table {
  readonly name: string;
  readonly query: string;
}

/** Types that only ZetaSQL has, and those of BigQuery in their place. */
const externalTypes: readonly (readonly [RegExp, string])[] = [
  [/\b(?:u?int32|uint64)\b/gi, 'INT64'],
  [/\b(?:double|float)\b/gi, 'FLOAT64'],
];

/** Options that change what a query means: other products, protocol buffers, other defaults. */
const foreign = /load_proto|DIFFERENTIAL_PRIVACY|ANONYMIZATION|UUID|SQL_GRAPH|MAP_TYPE|TOKENIZED/;

/**
 * Reads the queries of a compliance file that BigQuery's dialect can hold: parts are separated by lines of `==`, and a
 * part's query from its expected rows by a line of `--`.
 */
export function readSections(file: string, text: string): Section[] {
  const tables: Table[] = [];
  const sections: Section[] = [];
  let defaults = '';
  for (const [index, part] of text.split(/^==+[ \t]*$/m).entries()) {
    const [head = ''] = part.split(/^--[ \t]*$/m);
    const { options, sql } = splitOptions(head);
    defaults += [...options.matchAll(/^\[default (.*)\]$/gm)].map(([, option]) => `[${option}]\n`).join('');
    if (options.includes('[prepare_database]')) {
      const table = tableOf(sql);
      if (table !== undefined) tables.push(table);
      continue;
    }
    if (sql === '' || foreign.test(options) || foreign.test(defaults)) continue;
    const name = /^\[name=(.*)\]$/m.exec(options)?.[1] ?? String(index);
    const query = withParameters(external(sql), options);
    sections.push({ name: `${file}:${name}`, sql: withTables(query, tables) });
  }
  return sections;
}

function splitOptions(head: string): { options: string; sql: string } {
  const lines = head.split('\n');
  const first = lines.findIndex((line) => line.trim() !== '' && !/^\[|^#/.test(line));
  if (first < 0) return { options: head, sql: '' };
  const sql = lines.slice(first).join('\n').trim().replace(/;$/, '');
  return { options: lines.slice(0, first).join('\n'), sql };
}

function tableOf(sql: string): Table | undefined {
  const match = /^CREATE TABLE\s+(\w+)\s*(?:OPTIONS\s*\([^)]*\)\s*)?AS\b\s*([\s\S]*)$/i.exec(sql);
  return match === null ? undefined : { name: match[1] ?? '', query: external(match[2] ?? '') };
}

function external(sql: string): string {
  return externalTypes.reduce((text, [type, instead]) => text.replace(type, instead), sql);
}

/** `[parameters=1 as p, "x" as q]` in place of the parameters. */
function withParameters(sql: string, options: string): string {
  const list = /\[parameters=([\s\S]*?)\]$/m.exec(options)?.[1];
  if (list === undefined) return sql;
  let text = sql;
  for (const [, value = '', name = ''] of list.matchAll(/\s*([\s\S]*?)\s+as\s+(\w+)\s*(?:,|$)/gi)) {
    text = text.replaceAll(new RegExp(`@${name}\\b`, 'gi'), `(${external(value)})`);
  }
  return text;
}

/** Puts the tables that a query names, and those that these name, before it. */
function withTables(sql: string, tables: readonly Table[]): string {
  const isNamed = (text: string, name: string) => new RegExp(`\\b${name}\\b`, 'i').test(text);
  // A table reads only tables before it.
  let text = sql;
  const used: Table[] = [];
  for (const table of tables.toReversed()) {
    if (!isNamed(text, table.name) || used.some(({ name }) => name === table.name)) continue;
    used.unshift(table);
    text += table.query;
  }
  if (used.length === 0) return sql;
  const ctes = used.map(({ name, query }) => `${name} AS (${query})`).join(',\n');
  const own = /^(?:#[^\n]*\n|--[^\n]*\n|\s)*WITH\s+(RECURSIVE\s+)?/i.exec(sql);
  if (own === null) return `WITH ${ctes}\n${sql}`;
  return `WITH ${own[1] ?? ''}${ctes},\n${sql.slice(own[0].length)}`;
}
