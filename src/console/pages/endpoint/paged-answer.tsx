import type { Client } from '../../api/client.ts';
import type { Endpoint } from '../../api/endpoints.ts';
import { messageOf } from '../../api/failure.ts';
import { type Answer, type Call, withNextPage } from '../../parts/answer/answer.ts';
import { AnswerView } from '../../parts/answer/answer-view.tsx';
import type { ChartChoice } from '../../parts/chart/chart-choice.ts';
import { FailureFace } from '../../parts/faces/faces.tsx';
import { useLoad } from '../../parts/loading/use-load.ts';
import { type TimeRange, timeText, zoneText } from '../../parts/time/time-range.ts';
import { useZone } from '../../parts/time/use-zone.ts';
import { useBefore } from './use-before.ts';

interface PagedAnswerProps {
  readonly client: Client;
  readonly endpoint: Endpoint;
  readonly call: Call;
  readonly answer: Answer;
  readonly chart: ChartChoice | undefined;
  readonly onRange: ((range: TimeRange) => void) | undefined;
  readonly onChart: (choice: ChartChoice) => void;
}

/** An answer, with a button for further rows if it is cut off and can be read in pages. */
export function PagedAnswer({ client, endpoint, call, answer, chart, onRange, onChart }: PagedAnswerProps) {
  const { value, failure, isLoading, load, cancel } = useLoad<{
    readonly of: Answer;
    readonly all: Answer;
  }>();
  // Further rows are those of the answer that was there when they were asked for.
  const shown = value?.of === answer ? value.all : answer;
  const before = useBefore(client, endpoint, call);
  const { keys } = endpoint.pages;
  const hasMore =
    keys !== undefined && (shown.cursor !== undefined || (shown === answer && answer.facts.truncated));
  const more = () => {
    if (keys === undefined) return;
    const pages = { before: shown, keys, size: endpoint.maxRows };
    load(async (signal) => ({ of: answer, all: await withNextPage(client, call, pages, signal) }));
  };
  return (
    <>
      {before.range !== undefined && (
        <CompareButton
          before={before}
          range={before.range}
          isCut={shown.facts.truncated || before.loaded.value?.facts.truncated === true}
        />
      )}
      <AnswerView
        {...{ chart, onRange, onChart }}
        label={endpoint.name}
        answer={shown}
        columns={endpoint.columns}
        before={before.rows}
      />
      {failure !== undefined && <FailureFace failure={failure} onRetry={more} />}
      {hasMore && (
        <button type="button" onClick={isLoading ? cancel : more}>
          {isLoading ? 'Cancel' : 'Load more rows'}
        </button>
      )}
    </>
  );
}

interface CompareButtonProps {
  readonly before: ReturnType<typeof useBefore>;
  readonly range: TimeRange;
  /** Whether not all rows of both are there. */
  readonly isCut: boolean;
}

function CompareButton({ before, range, isCut }: CompareButtonProps) {
  const [zone] = useZone();
  const { isOn, toggle, loaded } = before;
  return (
    <p class="compare">
      <button type="button" class="small" aria-pressed={isOn} onClick={toggle}>
        Against the period before
      </button>{' '}
      <span class="quiet" role="status">
        {isOn && `${timeText(range.from, zone)} – ${timeText(range.to, zone)} ${zoneText(zone, range.from)}`}
        {loaded.isLoading && ' · running'}
      </span>
      {isOn && !loaded.isLoading && isCut && (
        <span class="mistake" role="alert">
          Only the first rows are compared: there are more than the endpoint gives.
        </span>
      )}
      {isOn && loaded.failure !== undefined && (
        <span class="mistake" role="alert">
          {messageOf(loaded.failure)}
        </span>
      )}
    </p>
  );
}
