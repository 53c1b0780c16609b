import { useRef, useState } from 'preact/hooks';
import { ConfirmDialog } from '../../../parts/overlays/confirm-dialog.tsx';
import { Dialog } from '../../../parts/overlays/dialog.tsx';
import { oneLine } from '../../../parts/text/cell-text.ts';
import { counted, durationText } from '../../../parts/text/number-text.ts';
import { timeText } from '../../../parts/time/time-range.ts';
import { useZone } from '../../../parts/time/use-zone.ts';
import { type Run, searchRuns } from './runs.ts';
import type { History } from './use-history.ts';

interface HistoryDialogProps {
  readonly history: History;
  readonly onOpen: (run: Run) => void;
  readonly onClose: () => void;
}

/** The queries that were run with this key. A click opens one. */
export function HistoryDialog({ history, onOpen, onClose }: HistoryDialogProps) {
  const { runs, isOnDevice, clear } = history;
  const [search, setSearch] = useState('');
  const [isAsked, setAsked] = useState(false);
  const [zone] = useZone();
  const kept = useRef<HTMLParagraphElement>(null);
  const found = searchRuns(runs, search);
  return (
    <Dialog title="History" onClose={onClose}>
      <p class="quiet" ref={kept} tabIndex={-1}>
        {isOnDevice
          ? 'Queries that you run with this key are kept in this browser, until you clear them.'
          : 'Queries that you run are kept until this tab is closed. By HTTPS, they are kept for this key.'}
      </p>
      {runs.length > 0 && (
        <div class="history-tools">
          <input
            type="search"
            aria-label="Search the history"
            placeholder="Search queries"
            value={search}
            onInput={({ currentTarget }) => setSearch(currentTarget.value)}
          />
          <button type="button" onClick={() => setAsked(true)}>
            Clear the history
          </button>
        </div>
      )}
      {runs.length > 0 && found.length === 0 && <p class="quiet">No query matches.</p>}
      <ul class="history">
        {found.map((run) => (
          <li key={run.at}>
            <button type="button" onClick={() => onOpen(run)}>
              <code>{oneLine(run.question.text.slice(0, 300).replace(/\s+/g, ' '))}</code>
              <span class="facts">
                <span>{oneLine(run.question.endpoint)}</span>
                <span>{timeText(run.at, zone)}</span>
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
      {isAsked && (
        <ConfirmDialog
          title={`Clear the history of ${counted(runs.length, 'query').replace('querys', 'queries')}?`}
          action="Clear"
          onConfirm={async () => clear()}
          onClose={() => setAsked(false)}
          returnTo={kept}
        />
      )}
    </Dialog>
  );
}
