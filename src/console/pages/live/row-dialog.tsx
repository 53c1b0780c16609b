import type { EndpointColumn } from '../../api/endpoints.ts';
import { formatJson, type Json } from '../../api/json.ts';
import { CopyButton } from '../../parts/copy/copy-button.tsx';
import { Dialog } from '../../parts/overlays/dialog.tsx';
import type { ValuePath } from '../../parts/value/value-path.ts';
import { ValueTree } from '../../parts/value/value-tree.tsx';
import { lqlTerm } from './filter/lql-term.ts';
import type { LogRow } from './rows/log-item.ts';
import { timeTexts } from './rows/time-text.ts';

interface RowDialogProps {
  readonly row: LogRow;
  readonly columns: readonly EndpointColumn[];
  readonly onFilter: (term: string) => void;
  readonly onClose: () => void;
}

/** All values of a row, each with filters for it. */
export function RowDialog({ row: { row, time, level }, columns, onFilter, onClose }: RowDialogProps) {
  const { date, clock } = timeTexts(time);
  const filters = (path: ValuePath, value: Json) => {
    const term = lqlTerm(path, value, columns);
    if (term === undefined) return null;
    return (
      <span class="term-buttons">
        <TermButton sign="+" text={`Only rows with ${term}`} onClick={() => onFilter(term)} />
        <TermButton sign="−" text={`Only rows without ${term}`} onClick={() => onFilter(`-${term}`)} />
      </span>
    );
  };
  return (
    <Dialog title={`${date} ${clock} UTC`} onClose={onClose}>
      <p class="facts">
        {level.text !== '' && <bdi class={`live-level severity-${level.severity}`}>{level.text}</bdi>}
        <span>click + or − to show only rows with or without a value</span>
      </p>
      <div class="value-body">
        <ValueTree value={row} after={filters} />
      </div>
      <CopyButton text={() => formatJson(row, 2)}>Copy as JSON</CopyButton>
    </Dialog>
  );
}

interface TermButtonProps {
  readonly sign: string;
  readonly text: string;
  readonly onClick: () => void;
}

function TermButton({ sign, text, onClick }: TermButtonProps) {
  return (
    <button type="button" class="term" title={text} aria-label={text} onClick={onClick}>
      {sign}
    </button>
  );
}
