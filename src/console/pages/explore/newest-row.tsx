import { secondsOf } from '../../parts/chart/chart-columns.ts';
import { Empty } from '../../parts/faces/faces.tsx';
import { type TimeRange, timeText, zoneText } from '../../parts/time/time-range.ts';
import { useZone } from '../../parts/time/use-zone.ts';
import { type Asked, useAnswer } from './asked/use-answer.ts';
import { conditionsOf } from './question/conditions.ts';
import type { Exploration } from './question/exploration.ts';
import type { ExploredTable } from './question/explored-table.ts';
import { newestSql } from './question/queries.ts';

interface NewestRowProps {
  readonly table: ExploredTable;
  readonly exploration: Exploration;
  readonly asked: Asked;
  readonly onRange: (range: TimeRange) => void;
}

const day = 86_400_000;

/** Where there are no rows: when the newest one was, and a way there. */
export function NewestRow({ table, exploration, asked, onRange }: NewestRowProps) {
  const [zone] = useZone();
  const { sql } = conditionsOf(exploration, table, undefined);
  const { answer, isCurrent } = useAnswer(asked, newestSql(table, sql), 0);
  const newest = answer?.rows[0]?.newest;
  const time = typeof newest === 'string' ? secondsOf(newest) * 1000 : Number.NaN;
  return (
    <Empty title="No rows in this range">
      {Number.isFinite(time) ? (
        <p>
          The newest row is of {timeText(time, zone)} {zoneText(zone, time)}.{' '}
          <button type="button" onClick={() => onRange({ from: time - day + 1, to: time + 1 })}>
            Show the day before it
          </button>
        </p>
      ) : (
        <p class="quiet">
          {isCurrent ? 'No row passes the filters at any time.' : 'Looking for the newest row…'}
        </p>
      )}
    </Empty>
  );
}
