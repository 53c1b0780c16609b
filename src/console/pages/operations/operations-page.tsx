import { useEffect, useMemo, useState } from 'preact/hooks';
import { type Client, isAbort } from '../../api/client.ts';
import { messageOf } from '../../api/failure.ts';
import { parseOperations, type SourceOperations } from '../../api/operations.ts';
import { TimeChart } from '../../parts/chart/time-chart.tsx';
import { CountsList } from '../../parts/counts-list.tsx';
import { Empty, FailureFace, Loading } from '../../parts/faces/faces.tsx';
import { PlainTable } from '../../parts/plain-table.tsx';
import { bytesText, spanText } from '../../parts/text/number-text.ts';
import { mayOperate, useSession } from '../../session/session.ts';
import { EndpointTable } from './endpoint-table.tsx';
import { KeysSection } from './keys-section.tsx';
import { callRates, type Snapshot, withSnapshot } from './snapshots.ts';
import { Tiles } from './tiles.tsx';
import { UsageSection } from './usage-section.tsx';

const pauseMs = 5_000;

interface PolledOperations {
  /** In the order of time. */
  readonly snapshots: readonly Snapshot[];
  /** Why the latest attempt failed; undefined if it did not. */
  readonly failure: unknown;
  readonly retry: () => void;
}

/** Asks the gateway again and again how it is doing, while the page is in view. */
function useOperations(client: Client): PolledOperations {
  const [snapshots, setSnapshots] = useState<readonly Snapshot[]>([]);
  const [failure, setFailure] = useState<unknown>();
  const [attempt, setAttempt] = useState(0);

  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    let timer: ReturnType<typeof setTimeout>;
    void poll();
    return () => {
      controller.abort();
      clearTimeout(timer);
    };

    async function poll() {
      try {
        if (!document.hidden) {
          const operations = parseOperations(await client.json('/api/operations', { signal }));
          setSnapshots((before) => withSnapshot(before, { at: Date.now(), operations }));
          setFailure(undefined);
        }
      } catch (thrown) {
        if (isAbort(thrown)) return;
        setFailure(thrown);
      }
      if (!signal.aborted) timer = setTimeout(poll, pauseMs);
    }
  }, [client, attempt]);

  return { snapshots, failure, retry: () => setAttempt((number) => number + 1) };
}

const kinds = [
  { name: 'hit', text: 'from the cache' },
  { name: 'miss', text: 'from the engine, cached' },
  { name: 'bypass', text: 'from the engine, not cached' },
  { name: 'stale', text: 'out of date' },
] as const;

/** Calls of endpoints by second, since the page was opened. */
function CallsChart({ snapshots }: { readonly snapshots: readonly Snapshot[] }) {
  const data = useMemo(() => {
    const points = callRates(snapshots);
    return {
      times: points.map(({ at }) => Math.round(at / 1000)),
      series: kinds.map(({ name, text }) => ({
        name: text,
        values: points.map(({ rates }) => Math.round((rates[name] ?? 0) * 100) / 100),
      })),
      omitted: 0,
    };
  }, [snapshots]);
  return (
    <figure class="card chart-view">
      <figcaption class="quiet">Calls of endpoints by second, while this page was open</figcaption>
      {data.times.length < 2 ? (
        <p class="calls-wait quiet">The chart begins in a few seconds.</p>
      ) : (
        <TimeChart data={data} type="lines" height={180} label="Calls of endpoints by second" />
      )}
    </figure>
  );
}

/** How the gateway is doing, and what operators do about it. */
export default function OperationsPage() {
  const { caller } = useSession();
  if (mayOperate(caller)) return <Operations />;
  return (
    <Empty title="No permission">
      <p class="quiet">This page needs an unrestricted key with the scope admin.</p>
    </Empty>
  );
}

function Operations() {
  const session = useSession();
  const { client } = session;
  const { snapshots, failure, retry } = useOperations(client);
  const latest = snapshots.at(-1);
  if (latest === undefined) {
    return failure === undefined ? (
      <Loading what="Asking the gateway" />
    ) : (
      <FailureFace failure={failure} onRetry={retry} />
    );
  }
  const { operations, at } = latest;
  return (
    <section class="page" aria-labelledby="title">
      <div class="page-head">
        <h1 id="title">Operations</h1>
        <span class="quiet">
          of this gateway, counted for {spanText((at - Date.parse(operations.startedAt)) / 1000)}
        </span>
        {failure !== undefined && (
          <span class="badge badge-warn" role="alert">
            {messageOf(failure)} The numbers are old.
          </span>
        )}
      </div>
      <Tiles snapshots={snapshots} latest={operations} />
      <CallsChart snapshots={snapshots} />
      <section aria-labelledby="endpoints">
        <h2 id="endpoints">Endpoints</h2>
        <EndpointTable client={client} endpoints={operations.endpoints} onPurged={retry} />
      </section>
      <UsageSection client={client} />
      <section aria-labelledby="sources">
        <h2 id="sources">Sources</h2>
        <SourceTable sources={operations.sources} now={at} />
      </section>
      <KeysSection session={session} />
    </section>
  );
}

interface SourceTableProps {
  readonly sources: readonly SourceOperations[];
  /** In milliseconds since the epoch. */
  readonly now: number;
}

/** What each source has, and what collectors have sent to it. */
function SourceTable({ sources, now }: SourceTableProps) {
  if (sources.length === 0) return <Empty title="No sources" />;
  return (
    <PlainTable
      label="Sources"
      heads={['Name', 'Rows', 'Size, about', 'Newest', 'Oldest', 'Retention', 'From collectors', 'Rejected']}
    >
      {sources.map(({ name, rows, bytes, newest, oldest, retentionDays, collected, rejected }) => (
        <tr key={name}>
          <th scope="row">{name}</th>
          <td>{rows?.toLocaleString('en') ?? '–'}</td>
          <td>{bytes === null ? '–' : bytesText(bytes)}</td>
          <td title={newest ?? ''}>{ageText(newest, now)}</td>
          <td title={oldest ?? ''}>{ageText(oldest, now)}</td>
          <td>{retentionDays === null ? 'none' : `${retentionDays} d`}</td>
          <td>
            <CountsList counts={collected} />
          </td>
          <td class={Object.keys(rejected).length > 0 ? 'mistake' : ''}>
            <CountsList counts={rejected} />
          </td>
        </tr>
      ))}
    </PlainTable>
  );
}

function ageText(time: string | null, now: number): string {
  if (time === null) return '–';
  const seconds = (now - Date.parse(time)) / 1000;
  return seconds < 0 ? `in ${spanText(-seconds)}` : `${spanText(seconds)} ago`;
}
