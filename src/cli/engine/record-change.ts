import { type RecordSettings, recordsCalls } from '../../app/schema/own-schema.ts';
import type { Log } from '../../base/terminal/log.ts';
import { journalChange } from '../../calls/records/change-journal.ts';
import type { Change } from '../../calls/records/change-records.ts';
import type { Config } from '../../definitions/settings/config.ts';

/** What decides whether and where changes are recorded. */
export type ChangeSettings = Pick<Config, 'dataDir'> & Pick<RecordSettings, 'engine' | 'recordCalls'>;

/** Records a change of the store that this command has made itself. Those through a gateway are recorded there. */
export async function recordChange(settings: ChangeSettings, log: Log, change: Change): Promise<void> {
  const { dataDir } = settings;
  if (recordsCalls(settings)) await journalChange({ dataDir, log }, change);
}
