import { useState } from 'preact/hooks';
import type { JsonObject } from '../../api/json.ts';
import { PlainTable } from '../../parts/plain-table.tsx';
import { cellText } from '../../parts/text/cell-text.ts';

interface RowPickerProps {
  readonly rows: readonly JsonObject[];
  /** Gets the places of the picked rows. */
  readonly onPick: (places: readonly number[]) => void;
}

/** A test names few rows. */
const [shownRows, shownColumns] = [20, 6];

/** The first rows of an answer, to pick those that a test expects. */
export function RowPicker({ rows, onPick }: RowPickerProps) {
  const [picked, setPicked] = useState<ReadonlySet<number>>(new Set([0]));
  const columns = Object.keys(rows[0] ?? {}).slice(0, shownColumns);
  const toggle = (at: number, isPicked: boolean) => {
    const next = new Set(picked);
    if (isPicked) next.add(at);
    else next.delete(at);
    setPicked(next);
  };
  return (
    <details class="row-picker">
      <summary>Pick rows for a test</summary>
      <PlainTable label="Rows to pick" heads={['Pick', ...columns]}>
        {rows.slice(0, shownRows).map((row, at) => (
          <tr key={at}>
            <td>
              <input
                type="checkbox"
                aria-label={`Row ${at + 1}`}
                checked={picked.has(at)}
                onChange={({ currentTarget }) => toggle(at, currentTarget.checked)}
              />
            </td>
            {columns.map((column) => (
              <td key={column}>
                <bdi>{cellText(row[column]).slice(0, 60)}</bdi>
              </td>
            ))}
          </tr>
        ))}
      </PlainTable>
      <button
        type="button"
        disabled={picked.size === 0}
        onClick={() => onPick([...picked].toSorted((one, other) => one - other))}
      >
        Add as a test
      </button>
    </details>
  );
}
