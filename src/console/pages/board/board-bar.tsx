import { useId } from 'preact/hooks';
import type { RangeChoice } from '../../parts/time/time-range.ts';
import { TimeRangePicker } from '../../parts/time/time-range-picker.tsx';

/** How often a board loads again: `off`, `live`, or a time such as `30s`. */
const refreshes = ['off', '10s', '30s', '1m', '5m', 'live'];

interface BoardBarProps {
  readonly range: RangeChoice;
  readonly refresh: string;
  readonly onRange: (choice: RangeChoice) => void;
  readonly onRefresh: (refresh: string) => void;
  readonly onReload: () => void;
}

/** The range of time of all panels, and how often they load again. */
export function BoardBar({ range, refresh, onRange, onRefresh, onReload }: BoardBarProps) {
  const id = useId();
  const choices = refreshes.includes(refresh) ? refreshes : [...refreshes, refresh];
  return (
    <>
      <TimeRangePicker choice={range} onChoice={onRange} />
      <label for={id} class="board-refresh">
        <span class="quiet">Refresh</span>
        <select id={id} value={refresh} onChange={({ currentTarget }) => onRefresh(currentTarget.value)}>
          {choices.map((one) => (
            <option key={one} value={one}>
              {titleOf(one)}
            </option>
          ))}
        </select>
      </label>
      <button type="button" onClick={onReload}>
        Reload
      </button>
      <button type="button" onClick={() => print()}>
        Print
      </button>
    </>
  );
}

function titleOf(refresh: string): string {
  if (refresh === 'off') return 'Off';
  return refresh === 'live' ? 'Live' : `Every ${refresh.replace('s', ' s').replace('m', ' min')}`;
}

/** The seconds of a refresh such as `30s`. Undefined for others. */
export function refreshSeconds(refresh: string): number | undefined {
  const [, digits, unit] = /^(\d{1,4})([sm])$/.exec(refresh) ?? [];
  return digits === undefined ? undefined : Number(digits) * (unit === 'm' ? 60 : 1);
}
