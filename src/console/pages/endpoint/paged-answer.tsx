import type { Client } from '../../api/client.ts';
import type { Endpoint } from '../../api/endpoints.ts';
import { type Answer, type Call, withNextPage } from '../../parts/answer/answer.ts';
import { AnswerView } from '../../parts/answer/answer-view.tsx';
import type { ChartChoice } from '../../parts/chart/chart-choice.ts';
import { FailureFace } from '../../parts/faces/faces.tsx';
import { useLoad } from '../../parts/loading/use-load.ts';
import type { TimeRange } from '../../parts/time/time-range.ts';

interface PagedAnswerProps {
  readonly client: Client;
  readonly endpoint: Endpoint;
  readonly call: Call;
  readonly answer: Answer;
  readonly onRange: ((range: TimeRange) => void) | undefined;
  readonly onChart: (choice: ChartChoice) => void;
}

/** An answer, with a button for further rows if it is cut off and can be read in pages. */
export function PagedAnswer({ client, endpoint, call, answer, onRange, onChart }: PagedAnswerProps) {
  const { value, failure, isLoading, load, cancel } = useLoad<{
    readonly of: Answer;
    readonly all: Answer;
  }>();
  // Further rows are those of the answer that was there when they were asked for.
  const shown = value?.of === answer ? value.all : answer;
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
      <AnswerView {...{ onRange, onChart }} label={endpoint.name} answer={shown} columns={endpoint.columns} />
      {failure !== undefined && <FailureFace failure={failure} onRetry={more} />}
      {hasMore && (
        <button type="button" onClick={isLoading ? cancel : more}>
          {isLoading ? 'Cancel' : 'Load more rows'}
        </button>
      )}
    </>
  );
}
