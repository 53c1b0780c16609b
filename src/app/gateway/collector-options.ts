import { GatewayError } from '../../base/errors/errors.ts';
import type { Clock } from '../../base/system/clock.ts';
import type { Log } from '../../base/terminal/log.ts';
import { FieldsRefused, type NewFields } from '../../definitions/sources/added-fields.ts';
import { writableSource } from '../../definitions/sources/writable-sources.ts';
import type { CollectorOptions } from '../../server/collectors/collector-handler.ts';
import { eventReceiver } from '../../server/collectors/collector-handler.ts';
import type { EventMeter } from '../../server/collectors/event-reports.ts';
import { EventReports } from '../../server/collectors/event-reports.ts';
import type { RejectedFile } from '../../server/collectors/rejected-file.ts';
import type { OpenedEngine } from '../engines/engine/opened-engine.ts';
import type { LiveSources } from './live-sources.ts';

interface CollectorParts {
  readonly sources: LiveSources;
  readonly opened: Pick<OpenedEngine, 'rows'>;
  readonly rejectedFile: Pick<RejectedFile, 'add'>;
  readonly meter: EventMeter;
  readonly log: Log;
  readonly clock: Pick<Clock, 'now' | 'after'>;
}

/** What receives the events of collectors. */
export function collectorOptions(parts: CollectorParts): CollectorOptions {
  const { sources, opened, rejectedFile, meter, log, clock } = parts;
  const addFields = async (newFields: readonly NewFields[]) => {
    try {
      await sources.add(newFields);
    } catch (error) {
      throw error instanceof FieldsRefused ? new GatewayError('BAD_USER_INPUT', error.message) : error;
    }
  };
  return {
    resolveSource: (name, writable) => writableSource(sources.current, name, writable).name,
    receive: eventReceiver(opened.rows.addEvents, addFields),
    reports: new EventReports({ meter, log, clock, keep: (events) => rejectedFile.add(events) }),
  };
}
