import { useMemo, useState } from 'preact/hooks';
import { Failure } from '../../api/failure.ts';
import type { Answer, Call } from '../../parts/answer/answer.ts';
import { Download } from '../../parts/answer/download.tsx';
import { EarlierRows } from '../../parts/answer/earlier-rows.tsx';
import { FactsLine } from '../../parts/answer/facts-line.tsx';
import { snippetsOf } from '../../parts/answer/snippets.ts';
import { SnippetsView } from '../../parts/answer/snippets-view.tsx';
import { AddToBoard } from '../../parts/boards/add-to-board.tsx';
import { panelOf } from '../../parts/boards/panel-of.ts';
import type { ChartChoice } from '../../parts/chart/chart-choice.ts';
import { ChartView } from '../../parts/chart/chart-view.tsx';
import { Empty, FailureFace, Loading, Running } from '../../parts/faces/faces.tsx';
import type { Loaded } from '../../parts/loading/use-load.ts';
import { DataTable } from '../../parts/table/data-table.tsx';
import { columnsOf } from '../../parts/table/table-column.ts';
import { Tabs } from '../../parts/tabs.tsx';
import { oneLine } from '../../parts/text/cell-text.ts';
import { bytesText } from '../../parts/text/number-text.ts';
import { useSession } from '../../session/session.ts';
import { type Draft, isSameQuestion, type Question, questionOf } from './drafts/draft.ts';

/** What came of a run. */
export type Outcome =
  | { readonly kind: 'answer'; readonly answer: Answer; readonly call: Call }
  /** The user has to agree to the bytes that it reads. */
  | { readonly kind: 'large'; readonly bytes: number };

interface QueryResultProps {
  readonly draft: Draft;
  readonly outcome: Loaded<Outcome>;
  readonly failure: unknown;
  readonly isCancelled: boolean;
  readonly onRun: (hasAgreed?: boolean) => void;
  /** Goes to the place of the failure. */
  readonly onPlace: () => void;
}

/** What came of a query: its rows, what is wrong with it, or that it runs. */
export function QueryResult(props: QueryResultProps) {
  const { draft, outcome, failure, isCancelled, onRun, onPlace } = props;
  const { value, isLoading } = outcome;
  // Stays for the next runs.
  const [tab, setTab] = useState<Tab>('table');
  const rows = value?.kind === 'answer' ? value : undefined;
  if (isLoading && rows === undefined) return <Loading what="Running the query" />;
  if (isCancelled && rows === undefined) return <Empty title="Cancelled" />;
  if (failure !== undefined) {
    const place = failure instanceof Failure ? failure.facts.location : undefined;
    const canRetry =
      !(failure instanceof Failure) || failure.facts.status === 0 || failure.facts.status >= 429;
    return (
      <FailureFace failure={failure} onRetry={canRetry ? () => onRun() : undefined}>
        {place && (
          <button type="button" onClick={onPlace}>
            Go to line {place.line}, column {place.column}
          </button>
        )}
      </FailureFace>
    );
  }
  if (value === undefined) {
    return (
      <Empty title="Not run yet">
        <p class="quiet">Click Run, or press Ctrl+Enter (⌘+Enter) in the editor.</p>
      </Empty>
    );
  }
  if (value.kind === 'large') {
    return (
      <Empty title={`This query reads ${bytesText(value.bytes)}`}>
        <p class="quiet">BigQuery bills what it reads.</p>
        <button type="button" class="primary" onClick={() => onRun(true)}>
          Run it
        </button>
      </Empty>
    );
  }
  const isSame = isSameQuestion(questionOfCall(value.call), questionOf(draft));
  return (
    <EarlierRows
      isLoading={isLoading}
      note={
        (isLoading || isCancelled || !isSame) && (
          <>
            {isLoading && <Running what="Running the query" />}
            {isCancelled && 'Cancelled. '}
            {isSame ? 'Results of the run before.' : 'Results of the query before your changes: '}
            {!isSame && <code>{oneLine(value.call.query?.text.slice(0, 300) ?? '')}</code>}
          </>
        )
      }
    >
      <Rows label={draft.endpoint} {...{ value, tab }} onTab={setTab} />
    </EarlierRows>
  );
}

function questionOfCall({ endpoint, values, query }: Call): Question {
  return { endpoint: endpoint.name, language: query?.language ?? 'sql', text: query?.text ?? '', values };
}

type Tab = 'table' | 'chart' | 'code';

interface RowsProps {
  readonly label: string;
  readonly tab: Tab;
  readonly onTab: (tab: Tab) => void;
  readonly value: Extract<Outcome, { readonly kind: 'answer' }>;
}

function Rows({ label, tab, onTab, value: { answer, call } }: RowsProps) {
  const { client, endpoints } = useSession();
  const { rows, facts } = answer;
  const [chart, setChart] = useState<ChartChoice>();
  const endpoint = endpoints.find(({ name }) => name === call.endpoint.name);
  const columns = useMemo(() => columnsOf(rows), [rows]);
  return (
    <div class="query-result">
      <FactsLine facts={facts} />
      {rows.length === 0 ? (
        <Empty title="No rows">
          <p class="quiet">The query has run and found nothing.</p>
        </Empty>
      ) : (
        <div>
          <Tabs
            label="Result"
            tabs={[
              { name: 'table', text: 'Table' },
              { name: 'chart', text: 'Chart' },
              { name: 'code', text: 'Code' },
            ]}
            selected={tab}
            onSelect={onTab}
          >
            {tab === 'table' && <DataTable label={label} columns={columns} rows={rows} />}
            {tab === 'chart' && (
              <ChartView {...{ label, columns, rows }} choice={chart} onChoice={setChart} />
            )}
            {tab === 'code' && <SnippetsView snippets={snippetsOf(call, location.origin)} />}
          </Tabs>
        </div>
      )}
      <Download client={client} call={call} />
      {endpoint && (
        <span>
          <AddToBoard panel={() => panelOf(label, call, endpoint, tab === 'table' ? 'table' : chart)} />
        </span>
      )}
    </div>
  );
}
