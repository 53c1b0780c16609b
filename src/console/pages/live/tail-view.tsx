import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { EndpointColumn } from '../../api/endpoints.ts';
import type { Failure } from '../../api/failure.ts';
import { formatJson, type Json, type ValuePath } from '../../api/json.ts';
import { CopyButton } from '../../parts/copy/copy-button.tsx';
import { Empty, FailureFace, Loading } from '../../parts/faces/faces.tsx';
import { Dialog } from '../../parts/overlays/dialog.tsx';
import { counted } from '../../parts/text/number-text.ts';
import type { TimeRange } from '../../parts/time/time-range.ts';
import { ValueTree } from '../../parts/value/value-tree.tsx';
import { type FieldChoice, FieldChoiceForm } from './field-choice.tsx';
import { GroupsTable } from './groups-table.tsx';
import { lqlTerm } from './lql-term.ts';
import { RateChart } from './rate-chart.tsx';
import { RowList, type RowListHandle } from './row-list.tsx';
import { rowFields } from './rows/fields.ts';
import type { LogItem, LogRow } from './rows/log-item.ts';
import { timeTexts } from './rows/log-item.ts';
import { StatusLine } from './status-line.tsx';
import type { Tail } from './tail/use-tail.ts';
import { limits, type WatchedRows } from './tail/use-tail.ts';

interface TailViewProps {
  readonly tail: Tail<WatchedRows>;
  readonly label: string;
  readonly columns: readonly EndpointColumn[];
  /** Whether something is watched. */
  readonly hasCall: boolean;
  /** Why the tail has ended. */
  readonly failure: Failure | undefined;
  /** Whether the form shows the failure. */
  readonly isAtField: boolean;
  readonly choice: FieldChoice;
  readonly onChoice: (choice: FieldChoice) => void;
  readonly onFilter: (term: string) => void;
  /** Watches once more. */
  readonly onRetry: () => void;
}

/** The rows of a tail as they arrive: their rate, and a list of them that stands still while one reads. */
export function TailView(props: TailViewProps) {
  const { tail, label, columns, hasCall, failure, isAtField, choice, onChoice, onFilter, onRetry } = props;
  const { watched } = tail;
  const [isPaused, setIsPaused] = useState(false);
  const [isReading, setIsReading] = useState(false);
  const [brush, setBrush] = useState<TimeRange>();
  const [opened, setOpened] = useState<LogRow>();
  const [clears, setClears] = useState(0);
  const fields = useMemo(() => rowFields(columns), [columns]);
  const list = useRef<RowListHandle>(null);
  // Another tail begins at its newest rows.
  useEffect(() => setIsPaused(false), [watched]);

  const { newest, received } = watched;
  const key = useMemo(() => ({}), [watched, clears]);
  const isFrozen = isPaused || isReading || opened !== undefined;
  const shown = useFrozen({ newest, received }, isFrozen, key);
  const items = useMemo(() => within(shown.newest.items, brush), [shown.newest, brush]);
  const added = received - shown.received;
  const groupRows = useMemo(() => items.filter((item) => item.kind === 'row').map(({ row }) => row), [items]);
  const numbers = useMemo(
    () => choice.columns.filter((path) => fields.some((field) => field.path === path && field.isNumber)),
    [choice, fields],
  );
  const close = useCallback(() => setOpened(undefined), []);

  const clear = () => {
    watched.clear();
    list.current?.toTop();
    setClears((count) => count + 1);
  };
  const toTop = () => {
    setIsPaused(false);
    list.current?.toTop();
  };

  if (!hasCall) {
    return (
      <Empty title="Not watched yet">
        <p class="quiet">Fill in the parameters, then click Watch.</p>
      </Empty>
    );
  }
  if (failure !== undefined && newest.items.length === 0) {
    if (!isAtField) return <FailureFace failure={failure} onRetry={onRetry} />;
    return (
      <Empty title="Nothing is watched">
        <p class="quiet">Correct the field that is marked, then click Watch.</p>
      </Empty>
    );
  }
  return (
    <>
      <div class="live-tools">
        <StatusLine
          status={watched.stream}
          isPaused={isPaused}
          failedRun={watched.failedRun}
          onRetry={tail.retryNow}
        />
        {failure !== undefined && (
          <button type="button" onClick={onRetry}>
            Watch again
          </button>
        )}
        <span class="live-actions">
          <button type="button" aria-pressed={isPaused} onClick={() => setIsPaused(!isPaused)}>
            {isPaused ? 'Resume' : 'Pause'}
          </button>
          <button type="button" onClick={clear}>
            Clear
          </button>
        </span>
      </div>
      <FieldChoiceForm fields={fields} {...{ choice, onChoice }} />
      <RateChart rates={watched.rates} brush={brush} onBrush={setBrush} />
      {choice.group !== undefined && (
        <GroupsTable
          rows={groupRows}
          path={choice.group}
          highest={numbers}
          columns={columns}
          onFilter={onFilter}
        />
      )}
      <div class="live-rows">
        {isFrozen && added > 0 && (
          <button type="button" class="primary live-new" onClick={toTop}>
            {counted(added, 'new row')}
            <span aria-hidden="true"> ↑</span>
          </button>
        )}
        {items.length === 0 ? (
          <NoRows hasBegun={watched.hasBegun} isBrushed={brush !== undefined} />
        ) : (
          <RowList
            label={label}
            items={items}
            columns={choice.columns}
            handle={list}
            onReading={setIsReading}
            onOpen={setOpened}
          />
        )}
      </div>
      <p class="facts">
        <span>{counted(items.length, 'row')} shown</span>
        {brush !== undefined && <span>of {counted(shown.newest.items.length, 'row')}</span>}
        <span>
          {newest.isCut ? 'older rows were dropped: ' : ''}the newest {limits.items.toLocaleString('en')} are
          kept
        </span>
      </p>
      {opened && (
        <RowDialog
          row={opened}
          columns={columns}
          onClose={close}
          onFilter={(term) => {
            close();
            onFilter(term);
          }}
        />
      )}
    </>
  );
}

function NoRows({ hasBegun, isBrushed }: { readonly hasBegun: boolean; readonly isBrushed: boolean }) {
  if (!hasBegun) return <Loading what="Waiting for the gateway" />;
  if (isBrushed) return <Empty title="No rows in this span" />;
  return (
    <Empty title="No rows yet">
      <p class="quiet">New rows appear here as they arrive.</p>
    </Empty>
  );
}

/** Rows without a time are in no span. */
function within(items: readonly LogItem[], span: TimeRange | undefined): readonly LogItem[] {
  if (span === undefined) return items;
  return items.filter((item) => item.kind === 'row' && item.time >= span.from && item.time < span.to);
}

/** The value as it was when it was frozen; the present one otherwise, and when the key has changed. */
function useFrozen<T>(value: T, isFrozen: boolean, key: unknown): T {
  const kept = useRef({ value, key });
  if (!isFrozen || kept.current.key !== key) kept.current = { value, key };
  return kept.current.value;
}

interface RowDialogProps {
  readonly row: LogRow;
  readonly columns: readonly EndpointColumn[];
  readonly onFilter: (term: string) => void;
  readonly onClose: () => void;
}

/** All values of a row, each with filters for it. */
function RowDialog({ row: { row, time, level }, columns, onFilter, onClose }: RowDialogProps) {
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
