import { counted } from '../../../base/text/counted.ts';
import { sentName } from '../../../definitions/sources/sent-name.ts';
import type { SourceSettings } from '../../../definitions/sources/source.ts';
import type { TableField } from '../../../definitions/sources/table-field.ts';
import type { AcceptedTimes } from '../encode/accepted-times.ts';
import { describeValue } from '../encode/row-validation-error.ts';

/** What is known of the rows besides their fields. */
export interface KnownRows {
  /** Whether all of them have a value in a field. */
  isAlways(name: string): boolean;
  /** Whether no value of a field was there twice. */
  isDistinct(name: string): boolean;
  /** A value of the field `timestamp` that is no time. */
  readonly otherTime: unknown;
  /** How many there are. */
  readonly count: number;
  /** The first and the last time of a field, in microseconds since 1970, if they are known. */
  timesOf(name: string): readonly [bigint, bigint] | undefined;
  /** The times that import accepts. */
  readonly accepted: AcceptedTimes;
}

/** Fewer rows with times may only by chance have different values in a column, such as that of their user. */
const minForGuess = 1000;

/** The fields of a proposal, with what orders and identifies its rows. */
interface ProposedKey {
  readonly fields: readonly TableField[];
  readonly settings: Pick<SourceSettings, 'timestamp' | 'id'>;
  readonly notes: readonly string[];
  readonly canBeImported: boolean;
}

const idTypes: ReadonlySet<string> = new Set(['STRING', 'INT64', 'BYTES', 'NUMERIC', 'DATE', 'TIMESTAMP']);

const madeId: TableField = {
  name: 'id',
  type: 'STRING',
  mode: 'REQUIRED',
  description:
    'Rows have none. Made of a row’s content and its place in its file, so that importing a file again adds nothing.',
};

/** Proposes the column that orders the rows, and the one that identifies them. */
export function proposedKey(fields: readonly TableField[], rows: KnownRows): ProposedKey {
  const notes: string[] = [];
  const time = timeOf(fields, rows, notes);
  const id = idOf(fields, rows, notes, time !== undefined);
  const isNeeded = (field: TableField) => field === time || field === id;
  const own = fields.map((field): TableField => {
    if (!isNeeded(field)) return field;
    const isGuess = field === id && field.name.toLowerCase() !== 'id';
    return { ...(isGuess ? guessed(field, rows) : field), mode: 'REQUIRED' };
  });
  const named = (name: string) => fields.find((field) => field.name.toLowerCase() === name);
  const takesMadeId = id === undefined && time !== undefined && named('id') === undefined;
  return {
    fields: takesMadeId ? [madeId, ...own] : own,
    settings: {
      ...(time === undefined
        ? named('timestamp') && { timestamp: null }
        : time.name.toLowerCase() !== 'timestamp' && { timestamp: [time.name] }),
      ...(id === undefined ? named('id') && { id: null } : id.name.toLowerCase() !== 'id' && { id: id.name }),
    },
    notes,
    canBeImported: time === undefined || rows.isAlways(sentName(time)),
  };
}

/** An id with the reason for taking it, unless its description says by which name rows have it. */
function guessed(field: TableField, { count }: KnownRows): TableField {
  if (sentName(field) !== field.name) return field;
  const guess = `Identifies the rows: a guess, since no value occurs twice in ${counted(count, 'row')}.`;
  return { ...field, description: [field.description, guess].filter(Boolean).join(' ') };
}

/** How many of the times of a field import accepts, as far as its range tells. */
function acceptedOf(field: TableField, { timesOf, accepted }: KnownRows): 'all' | 'some' | 'none' {
  const [first, last] = timesOf(sentName(field)) ?? [accepted.from, accepted.from];
  if (last < accepted.from || first > accepted.to) return 'none';
  return first >= accepted.from && last <= accepted.to ? 'all' : 'some';
}

const rangeSettings = 'INGEST_MAX_PAST_DAYS and INGEST_MAX_FUTURE_SECONDS set how far';

/** Undefined if no column has a time in each row. */
function timeOf(fields: readonly TableField[], rows: KnownRows, notes: string[]): TableField | undefined {
  const usual = fields.find(({ name }) => name.toLowerCase() === 'timestamp');
  const withRange = (field: TableField) => {
    if (acceptedOf(field, rows) === 'some')
      notes.push(
        `timestamp: some times of ${field.name} are too far in the past or the future; import refuses these rows. ${rangeSettings}`,
      );
    return field;
  };
  const unusable = fields.filter(
    (field) => field.type === 'TIMESTAMP' && field.mode !== 'REPEATED' && acceptedOf(field, rows) === 'none',
  );
  for (const { name } of unusable)
    notes.push(
      `timestamp: ${name} doesn't order the rows, since import would refuse them: its times are too far in the past or the future. ${rangeSettings}`,
    );
  if (usual?.type === 'TIMESTAMP' && usual.mode !== 'REPEATED' && !unusable.includes(usual)) {
    if (!rows.isAlways(sentName(usual)))
      notes.push('timestamp: some rows have none; import refuses these, but they can be posted as events');
    return withRange(usual);
  }
  if (usual !== undefined && rows.otherTime !== undefined)
    notes.push(
      `timestamp: some values are not times, such as ${describeValue(rows.otherTime)}; expected texts such as 2026-01-31T10:00:00Z, with Z or an offset, or numbers since 1970`,
    );
  const isUsable = ({ type, mode }: TableField, wanted: string) => type === wanted && mode !== 'REPEATED';
  const always = fields.filter((field) => rows.isAlways(sentName(field)));
  const times = always.filter((field) => isUsable(field, 'TIMESTAMP') && !unusable.includes(field));
  const isWithin = (field: TableField) => acceptedOf(field, rows) === 'all';
  const [first, ...others] = [...times.filter(isWithin), ...times.filter((field) => !isWithin(field))];
  if (first !== undefined) {
    const names = others.map(({ name }) => name).join(' or ');
    if (others.length > 0) notes.push(`timestamp: ${first.name} orders the rows; it can also be ${names}`);
    return withRange(first);
  }
  const dates = always.filter((field) => isUsable(field, 'DATE')).map(({ name }) => name);
  const perhaps =
    dates.length === 0
      ? ''
      : `. If ${dates.join(' or ')} orders them, say so: "timestamp": ${JSON.stringify(dates[0])}`;
  notes.push(`timestamp: no field has a time in each row, so that this is a reference table${perhaps}`);
  return undefined;
}

const idName = /(?:^|_)(?:id|uuid|guid|key|code|sku|isbn|slug|number|no)$/;

/** Undefined if no column identifies the rows. */
function idOf(
  fields: readonly TableField[],
  rows: KnownRows,
  notes: string[],
  hasTime: boolean,
): TableField | undefined {
  const identifies = (field: TableField) =>
    idTypes.has(field.type) &&
    field.mode !== 'REPEATED' &&
    rows.isAlways(sentName(field)) &&
    rows.isDistinct(sentName(field));
  const usual = fields.find(({ name }) => name.toLowerCase() === 'id');
  if (usual !== undefined && identifies(usual)) return usual;
  if (usual !== undefined) {
    const isMissing = !rows.isAlways(sentName(usual)) && rows.isDistinct(sentName(usual));
    if (isMissing && usual.type === 'STRING' && hasTime) {
      notes.push('id: some rows have none; these get an id from their content and their place in their file');
      return usual;
    }
    notes.push(
      'id: it does not identify the rows: some have none, or the same one, or values of other types',
    );
  }
  const candidate = fields.find((field) => idName.test(snakeCase(field.name)) && identifies(field));
  const isGuess = candidate !== undefined && (!hasTime || rows.count >= minForGuess);
  if (isGuess) {
    notes.push(`id: ${candidate.name} identifies the rows, it seems: no value occurs twice`);
    return candidate;
  }
  if (candidate !== undefined)
    notes.push(
      `id: if ${candidate.name} identifies the rows, say so: "id": ${JSON.stringify(candidate.name)}. These are too few to tell`,
    );
  if (usual === undefined && hasTime)
    notes.push('id: no row has one; each gets an id from its content and its place in its file');
  else if (usual === undefined)
    notes.push('id: no field identifies the rows, so that they are not deduplicated');
  return undefined;
}

function snakeCase(name: string): string {
  return name.replace(/([a-z\d])([A-Z])/g, '$1_$2').toLowerCase();
}
