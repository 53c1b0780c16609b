import { type Problem, positionAt } from '../problem.ts';
import type { SqlType } from '../sql/type.ts';
import { isColumnName, maxRecordDepth } from './column-name.ts';
import { columnType, isRecordTypeName, recordType, scalarTypeName } from './column-type.ts';
import { JsonMistake, LocatedJson } from './located-json.ts';
import { isReservedColumn } from './pseudo-columns.ts';
import { plainSettings, type Source, type SourceColumn, type SourceSettings } from './source.ts';
import { type SourceFile, sourceFile, tableSchema } from './source-file.ts';
import type { TableField } from './table-field.ts';

/** Required columns in the embedded store: one orders the rows, the other identifies them. */
const neededColumns = [
  { name: 'timestamp', kind: 'TIMESTAMP' },
  { name: 'id', kind: 'STRING' },
] as const;

export interface SourceContext {
  /** Whether its rows are in the embedded store, which requires some columns. By default, they are. */
  readonly isStored?: boolean;
  /** Claims an alias for the source. Returns the reason if it is taken. By default, every alias is free. */
  readonly claimAlias?: (alias: string) => string | undefined;
}

/**
 * Parses the file of one source. Returns the source, or all problems in its text.
 *
 * @param name the source's name
 * @param file the path in problems
 * @param text the JSON text
 */
export function parseSource(
  name: string,
  file: string,
  text: string,
  { isStored = true, claimAlias = () => undefined }: SourceContext = {},
): Source | readonly Problem[] {
  const problems: Problem[] = [];
  const report = (offset: number, message: string) =>
    problems.push({ file, ...positionAt(text, offset), text: message });

  let located: LocatedJson;
  try {
    located = new LocatedJson(text);
  } catch (error) {
    if (!(error instanceof JsonMistake)) throw error;
    report(error.offset, `not JSON: ${error.message}`);
    return problems;
  }
  const isDescribed = isObject(located.value);
  const parsed = isDescribed
    ? sourceFile.safeParse(located.value)
    : tableSchema.transform((fields) => ({ fields, ...plainSettings })).safeParse(located.value);
  if (!parsed.success) {
    for (const issue of parsed.error.issues) {
      const at = issue.path.at(-1);
      const subject = typeof at === 'string' ? `${at}: ` : '';
      report(located.offsetOf(issue.path), subject + issue.message);
    }
    return problems;
  }
  const reportAt = (path: Path, message: string) => report(located.offsetOf(path), message);
  const check = new SchemaCheck(reportAt);
  const { fields, ...settings }: SourceFile = parsed.data;
  const at = isDescribed ? ['fields'] : [];
  const columns = check.columns(fields, at, 0);
  if (isStored) check.neededColumns(columns, at);
  checkSettings(settings, columns, reportAt);
  if (!isStored && settings.unknownFields === 'add')
    reportAt(['unknownFields'], 'fields can be added on the embedded engine only');
  for (const [index, alias] of settings.aliases.entries()) {
    const refusal = claimAlias(alias);
    if (refusal !== undefined) reportAt(['aliases', index], refusal);
  }
  if (problems.length > 0) return problems;
  return { name, file, columns, ...settings };
}

/** Renamed fields must have a place in the schema, unless the source may get it. */
function checkSettings(
  { rename, unknownFields }: SourceSettings,
  columns: readonly SourceColumn[],
  report: (path: Path, message: string) => void,
): void {
  for (const { from, to } of rename) {
    if (unknownFields !== 'add' && !hasField(columns, to.split('.')))
      report(['rename', from], `the source has no field ${to}`);
  }
}

function hasField(columns: readonly SourceColumn[], [name, ...rest]: readonly string[]): boolean {
  const column = columns.find((candidate) => candidate.name.toLowerCase() === name?.toLowerCase());
  return column !== undefined && (rest.length === 0 || hasField(column.fields, rest));
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

type Path = readonly (string | number)[];

class SchemaCheck {
  readonly #report: (path: Path, message: string) => void;

  constructor(report: (path: Path, message: string) => void) {
    this.#report = report;
  }

  columns(fields: readonly TableField[], path: Path, depth: number): SourceColumn[] {
    const names = new Set<string>();
    return fields.map((field, index) => {
      const at = [...path, index];
      const folded = field.name.toLowerCase();
      if (!isColumnName(field.name)) {
        this.#report([...at, 'name'], `${JSON.stringify(field.name)} is not a valid column name`);
      } else if (depth === 0 && isReservedColumn(field.name)) {
        this.#report([...at, 'name'], `BigQuery reserves names such as ${field.name}`);
      } else if (names.has(folded)) {
        this.#report([...at, 'name'], `the column ${field.name} occurs twice (letter case is ignored)`);
      }
      names.add(folded);
      return this.#column(field, at, depth);
    });
  }

  neededColumns(columns: readonly SourceColumn[], path: Path): void {
    for (const { name, kind } of neededColumns) {
      const index = columns.findIndex((column) => column.name.toLowerCase() === name);
      const column = columns[index];
      if (column === undefined) this.#report(path, `a source needs a column ${name} of type ${kind}`);
      else if (column.type.kind !== kind) {
        this.#report(
          [...path, index, column.mode === 'REPEATED' ? 'mode' : 'type'],
          `${name} must be a single ${kind}`,
        );
      }
    }
  }

  #column(field: TableField, path: Path, depth: number): SourceColumn {
    const { name, mode, description } = field;
    const isRecord = isRecordTypeName(field.type);
    if (!isRecord && field.fields !== undefined && field.fields.length > 0) {
      this.#report([...path, 'fields'], `${name} is of type ${field.type}, only a RECORD has fields`);
    }
    const fields = isRecord ? this.#recordFields(field, path, depth) : [];
    const element = isRecord ? recordType(fields) : this.#scalarType(field, path);
    const column = { name, type: columnType(element, mode), mode, fields };
    return description === undefined ? column : { ...column, description };
  }

  #recordFields(field: TableField, path: Path, depth: number): SourceColumn[] {
    if (depth >= maxRecordDepth) {
      this.#report(path, `${field.name}: records are nested more than ${maxRecordDepth} levels deep`);
      return [];
    }
    if (field.fields === undefined || field.fields.length === 0) {
      this.#report(path, `${field.name} is a RECORD without fields`);
      return [];
    }
    return this.columns(field.fields, [...path, 'fields'], depth + 1);
  }

  #scalarType(field: TableField, path: Path): SqlType {
    const kind = scalarTypeName(field.type);
    if (kind !== undefined) return { kind };
    this.#report(
      [...path, 'type'],
      `${field.name}: ${JSON.stringify(field.type)} is not a type that a source can have`,
    );
    return { kind: 'STRING' };
  }
}
