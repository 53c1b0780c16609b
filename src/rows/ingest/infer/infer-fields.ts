import { counted } from '../../../base/text/counted.ts';
import type { SourceSettings } from '../../../definitions/sources/source.ts';
import { plainSettings } from '../../../definitions/sources/source.ts';
import type { TableField } from '../../../definitions/sources/table-field.ts';
import { presentTimes } from '../encode/accepted-times.ts';
import { formatNames, logReader } from '../text/text-format.ts';
import { formedText, type TextFile } from '../text/text-rows.ts';
import { proposedKey } from './proposed-key.ts';
import { csvRows, jsonRows, logRows, type Reading } from './rows-of-text.ts';
import { NotInferable, SeenRecord } from './seen-record.ts';
import { SeenTimes, timestampOf } from './seen-times.ts';

/** A proposed source file, with what a person should know about it. */
export interface InferredSchema {
  readonly fields: readonly TableField[];
  readonly settings: SourceSettings;
  /** Sentences, each with the path of a field. */
  readonly notes: readonly string[];
  readonly rows: number;
  /** Of the rows, how many were read. */
  readonly read: number;
  /** Whether each row has what import requires. */
  readonly canBeImported: boolean;
}

/**
 * Proposes the source file for the rows of a text file. Of a large file, it reads a part of the rows.
 *
 * @throws NotInferable; GatewayError for damaged data
 */
export async function inferFields(given: AsyncIterable<Uint8Array>, file: TextFile): Promise<InferredSchema> {
  const { format, bytes } = await formedText(given, file);
  const reading: Reading = { skipped: 0, unread: 0, firstFault: undefined };
  const root = new SeenRecord();
  const times = new SeenTimes();
  const rows =
    format === 'json'
      ? jsonRows(bytes, reading)
      : format === 'csv'
        ? csvRows(bytes, reading)
        : logRows(
            bytes,
            { reader: logReader(format, file.changed), formatName: formatNames[format] },
            reading,
          );
  for await (const row of rows) {
    root.add(row);
    times.add(timestampOf(row));
  }
  if (root.records === 0)
    throw new NotInferable(
      reading.firstFault === undefined
        ? 'The file has no rows.'
        : `No row can be read. ${capital(reading.firstFault)}.`,
    );
  const notes: string[] = [];
  const note = (path: string, text: string) => notes.push(`${path}: ${text}`);
  const fields = root.propose(note, format !== 'json');
  if (reading.unread > 0)
    notes.push(
      `${counted(reading.unread, 'line')} can't be read; import refuses them, or leaves them out with --skip-bad-rows. The first: ${reading.firstFault}`,
    );
  const key = proposedKey(fields, {
    isAlways: (name) => root.isAlways(name),
    isDistinct: (name) => root.isDistinct(name),
    timesOf: (name) => root.timesOf(name),
    accepted: presentTimes(),
    count: root.records,
    otherTime: times.other,
  });
  return {
    fields: key.fields,
    settings: { ...plainSettings, ...key.settings },
    notes: [...notes, ...key.notes],
    rows: root.records + reading.skipped,
    read: root.records,
    canBeImported: key.canBeImported && reading.unread === 0,
  };
}

function capital(text: string): string {
  return text.replace(/^./, (letter) => letter.toUpperCase());
}
