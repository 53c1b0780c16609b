import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { isCode } from '../../base/system/is-code.ts';
import { makeFolder } from '../../base/system/make-folder.ts';
import { readWrittenFile } from '../../base/system/read-written-file.ts';
import { replaceFile } from '../../base/system/replace-file.ts';
import { checkedText } from './checked-text.ts';
import { mergeFields, missingFields } from './merge-fields.ts';
import { NamesInGraphql } from './names-in-graphql.ts';
import { SchemaCheck } from './schema-check.ts';
import { schemaText } from './schema-text.ts';
import { sentName } from './sent-name.ts';
import type { Source } from './source.ts';
import { countFields } from './source.ts';
import { tableSchema } from './source-file.ts';
import { asAdded, type TableField, tableFields } from './table-field.ts';

/** The file of the fields that rows have added to a source. They are part of the source as those of its own file are. */
export interface AddedFieldsFile {
  readonly file: string;
  readonly text: string;
}

/** Fields that rows have and a source lacks. A record that it has already is there with its new fields only. */
export interface NewFields {
  /** The source's name. */
  readonly source: string;
  readonly fields: readonly TableField[];
}

export interface AddedFieldsLimits {
  /** The maximum number of fields of a source, with those in records. */
  readonly maxFields: number;
  /** Why a source can't be stored, a sentence for each column. */
  readonly unstorable: (source: Source) => readonly string[];
}

/** Thrown for fields that a source can't get, with the reason for the sender of the rows. */
export class FieldsRefused extends Error {
  override readonly name = 'FieldsRefused';
}

/** Undefined if no field was added. Throws as `readWrittenFile` does. */
export async function readAddedFields(dataDir: string, source: string): Promise<AddedFieldsFile | undefined> {
  const file = addedFieldsFile(dataDir, source);
  try {
    return { file, text: (await readWrittenFile(file)).toString() };
  } catch (error) {
    if (isCode(error, 'ENOENT') || isCode(error, 'ENOTDIR')) return undefined;
    throw error;
  }
}

/**
 * Adds fields to sources, durably and all or none. For one call at a time.
 *
 * Fields that a source has already stay as they are. If one of them has another type there, none is added: they
 * were planned without it.
 *
 * @returns the sources with the fields; the same objects where nothing was added
 * @throws FieldsRefused; as `fs` does
 */
export async function addFields(
  dataDir: string,
  sources: readonly Source[],
  additions: readonly NewFields[],
  limits: AddedFieldsLimits,
): Promise<readonly Source[]> {
  const plans = new Map<Source, FieldPlan>();
  for (const { source: name, fields } of additions) {
    const source = sources.find((candidate) => candidate.name === name);
    if (source === undefined) continue;
    const plan = planFields(source, fields);
    if (plan === undefined) return sources;
    if (plan.missing.length === 0) continue;
    refuseFaults(source, plan, limits);
    plans.set(source, plan);
  }
  const isPresent = (name: string) =>
    sources.some((source) => source.name.toLowerCase() === name.toLowerCase());
  const folder = addedFieldsFolder(dataDir);
  for (const [{ name, was }, { missing }] of plans) {
    const own = await readAddedFields(dataDir, name);
    const hasFormer = was !== undefined && !isPresent(was);
    const former = hasFormer ? await readAddedFields(dataDir, was) : undefined;
    const write = (file: string, before = former) =>
      writeAddedFields(
        folder,
        file,
        schemaText(mergeFields(before === undefined ? [] : parsed(before), missing)),
      );
    await makeFolder(folder);
    await write(name, own);
    // The release before finds the fields, too.
    if (hasFormer) await write(was);
  }
  return sources.map((source) => plans.get(source)?.grown ?? source);
}

/** How many fields these are, with records that are there for their new fields. */
export function countNewFields(additions: readonly NewFields[]): number {
  return additions.reduce((sum, { fields }) => sum + countFields(fields), 0);
}

/** The sources with new fields, without a check of their names. */
export function withNewFields(
  sources: readonly Source[],
  additions: readonly NewFields[],
): readonly Source[] {
  return sources.map((source) =>
    additions
      .filter((addition) => addition.source === source.name)
      .reduce((before, { fields }) => planFields(before, fields)?.grown ?? before, source),
  );
}

interface FieldPlan {
  readonly missing: readonly TableField[];
  readonly merged: readonly TableField[];
  readonly grown: Source;
}

/** Undefined if the source has a field of another type or mode already, or one that is called otherwise in events. */
function planFields(source: Source, fields: readonly TableField[]): FieldPlan | undefined {
  const own = tableFields(source.columns);
  let isContradicted = areOthers(own, fields);
  const merged = mergeFields(own, fields.map(asAdded), () => {
    isContradicted = true;
  });
  if (isContradicted) return undefined;
  const columns = new SchemaCheck(() => undefined).columns(merged, [], 0);
  return { missing: missingFields(own, fields), merged, grown: { ...source, columns } };
}

/** Whether fields of one name have different names in events. */
function areOthers(own: readonly TableField[], fields: readonly TableField[]): boolean {
  const byName = new Map(own.map((field) => [field.name.toLowerCase(), field]));
  return fields.some((field) => {
    const known = byName.get(field.name.toLowerCase());
    if (known === undefined) return false;
    const isOther = sentName(known).toLowerCase() !== sentName(field).toLowerCase();
    return isOther || areOthers(known.fields ?? [], field.fields ?? []);
  });
}

function refuseFaults(
  source: Source,
  { merged, grown }: FieldPlan,
  { maxFields, unstorable }: AddedFieldsLimits,
): void {
  const refuse = (reason: string) => {
    throw new FieldsRefused(`Fields can't be added to ${source.name}: ${reason}`);
  };
  if (countFields(merged) > maxFields)
    refuse(`it would have more than ${maxFields.toLocaleString('en')} fields`);
  for (const reason of nameFaults(tableFields(source.columns), merged)) refuse(reason);
  new SchemaCheck((_path, message) => refuse(message)).columns(merged, [], 0);
  for (const reason of unstorable(grown)) refuse(reason);
}

/** Why GraphQL can't have the names of fields that are in `merged` and not in `own`. */
function* nameFaults(
  own: readonly TableField[],
  merged: readonly TableField[],
  path = '',
): Generator<string> {
  const names = new NamesInGraphql(own.map(({ name }) => name));
  for (const { name, fields = [] } of merged) {
    const known = own.find((field) => field.name.toLowerCase() === name.toLowerCase());
    const fault = known === undefined ? names.fault(name) : undefined;
    if (fault !== undefined) yield `${path}${name}: ${fault}`;
    names.take(name);
    yield* nameFaults(known?.fields ?? [], fields, `${path}${name}.`);
  }
}

const suffix = '.json';

/** The folder of the files of added fields. */
export function addedFieldsFolder(dataDir: string): string {
  return join(dataDir, 'fields');
}

/** The sources that have a file of added fields. Rejects as `fs` does. */
export async function sourcesWithAddedFields(dataDir: string): Promise<readonly string[]> {
  const names = await readdir(addedFieldsFolder(dataDir)).catch((error) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  return names.filter((each) => each.endsWith(suffix)).map((name) => name.slice(0, -suffix.length));
}

/** The texts of all files of added fields, by their sources. Rejects as `fs` does. */
export async function readAllAddedFields(dataDir: string): Promise<ReadonlyMap<string, string>> {
  const texts = new Map<string, string>();
  for (const source of await sourcesWithAddedFields(dataDir)) {
    const read = await readAddedFields(dataDir, source);
    if (read !== undefined) texts.set(source, read.text);
  }
  return texts;
}

/** Writes the file of a source's added fields, durably, into a folder of such files. */
export function writeAddedFields(folder: string, source: string, text: string): Promise<void> {
  return replaceFile(join(folder, `${source}${suffix}`), text);
}

function addedFieldsFile(dataDir: string, source: string): string {
  return join(addedFieldsFolder(dataDir), `${source}${suffix}`);
}

/** The file was checked when it was loaded. */
function parsed({ file, text }: AddedFieldsFile): readonly TableField[] {
  const read = checkedText(file, text, () => tableSchema);
  if ('content' in read) return read.content;
  throw new Error(`${file}: ${read.map((problem) => problem.text).join('; ')}`);
}
