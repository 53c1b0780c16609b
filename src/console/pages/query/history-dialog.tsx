import { useState } from 'preact/hooks';
import { Dialog } from '../../parts/overlays/dialog.tsx';
import { oneLine } from '../../parts/text/cell-text.ts';
import { counted } from '../../parts/text/counted.ts';
import { durationText } from '../../parts/text/time-text.ts';
import { type Run, searchRuns } from './query-history.ts';

interface HistoryDialogProps {
  readonly history: readonly Run[];
  readonly onOpen: (run: Run) => void;
  readonly onClose: () => void;
}

/** The queries that were run in this tab of the browser. A click opens one. */
export function HistoryDialog({ history, onOpen, onClose }: HistoryDialogProps) {
  const [search, setSearch] = useState('');
  const found = searchRuns(history, search);
  return (
    <Dialog title="History" onClose={onClose}>
      {history.length === 0 ? (
        <p class="quiet">Queries that you run appear here, until this tab of the browser is closed.</p>
      ) : (
        <input
          type="search"
          class="wide"
          aria-label="Search the history"
          placeholder="Search queries"
          value={search}
          onInput={({ currentTarget }) => setSearch(currentTarget.value)}
        />
      )}
      {history.length > 0 && found.length === 0 && <p class="quiet">No query matches.</p>}
      <ul class="history">
        {found.map((run) => (
          <li key={run.at}>
            <button type="button" onClick={() => onOpen(run)}>
              <code>{oneLine(run.question.text.slice(0, 300).replace(/\s+/g, ' '))}</code>
              <span class="facts">
                <span>{run.question.endpoint}</span>
                <span>{new Date(run.at).toISOString().slice(11, 19)} UTC</span>
                <span>{durationText(run.milliseconds)}</span>
                {run.failure === undefined ? (
                  <span>{counted(run.rows ?? 0, 'row')}</span>
                ) : (
                  <span class="mistake">{oneLine(run.failure.slice(0, 120))}</span>
                )}
              </span>
            </button>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
