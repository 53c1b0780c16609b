import { useEffect, useMemo, useState } from 'preact/hooks';
import type { Client } from '../../api/client.ts';
import { Failure } from '../../api/failure.ts';
import { loadUsage, type RecordedUsage, type SlowCall, type Usage } from '../../api/usage.ts';
import { TimeChart } from '../../parts/chart/time-chart.tsx';
import { Empty, FailureFace, Loading } from '../../parts/faces/faces.tsx';
import { useLoad } from '../../parts/loading/use-load.ts';
import { PlainTable } from '../../parts/plain-table.tsx';
import { oneLine } from '../../parts/text/cell-text.ts';
import { bytesText, durationText, percentText } from '../../parts/text/number-text.ts';
import { formatRoute } from '../../router/route.ts';

const spans = [
  { days: 1, text: 'today' },
  { days: 7, text: '7 days' },
  { days: 30, text: '30 days' },
] as const;

/** Who has called what, what it cost, and which calls were slow: from the records of calls. */
export function UsageSection({ client }: { readonly client: Client }) {
  const [days, setDays] = useState<number>(7);
  const { value, failure, load, isLoading } = useLoad<RecordedUsage>();
  const refresh = () => load((signal) => loadUsage(client, days, signal));
  useEffect(refresh, [client, days]);

  return (
    <section aria-labelledby="usage">
      <div class="page-head">
        <h2 id="usage">Usage</h2>
        <fieldset class="spans">
          <legend class="only-heard">Time</legend>
          {spans.map((span) => (
            <button
              type="button"
              key={span.days}
              aria-pressed={span.days === days}
              onClick={() => setDays(span.days)}
            >
              {span.text}
            </button>
          ))}
        </fieldset>
        <button type="button" onClick={refresh} disabled={isLoading}>
          Refresh
        </button>
      </div>
      {failure !== undefined && isNotRecorded(failure) && (
        <p class="quiet">This gateway doesn’t record calls: see the setting RECORD_CALLS.</p>
      )}
      {failure !== undefined && !isNotRecorded(failure) && (
        <FailureFace failure={failure} onRetry={refresh} />
      )}
      {value === undefined && failure === undefined && <Loading what="Reading the records of calls" />}
      {value && value.usage.length === 0 && <Empty title="No calls in this time" />}
      {value && value.usage.length > 0 && (
        <>
          <DailyCalls usage={value.usage} />
          <UsageTable usage={value.usage} />
          <h3>Slowest calls</h3>
          <SlowCalls calls={value.slowest} />
        </>
      )}
    </section>
  );
}

function isNotRecorded(failure: unknown): boolean {
  return failure instanceof Failure && failure.facts.status === 404;
}

/** Keys with lines of their own in the chart; the others share one. */
const shownKeys = 6;
const msPerDay = 86_400_000;

/** Calls by day, for each of the keys with most. */
function DailyCalls({ usage }: { readonly usage: readonly Usage[] }) {
  const data = useMemo(() => {
    const byKey = [...sums(usage, ({ key }) => key ?? 'no key')].sort(([, a], [, b]) => b.calls - a.calls);
    const shown = new Set(byKey.slice(0, shownKeys).map(([key]) => key));
    const nameOf = ({ key }: Usage) => (shown.has(key ?? 'no key') ? (key ?? 'no key') : 'other keys');
    const times = usage.map(({ day }) => Date.parse(day));
    const first = Math.min(...times);
    const count = Math.round((Math.max(...times) - first) / msPerDay) + 1;
    const days = Array.from({ length: count }, (_, index) => first + index * msPerDay);
    const names = [...new Set(usage.map(nameOf))];
    return {
      times: days.map((day) => day / 1000),
      series: names.map((name) => ({
        name,
        values: days.map((day) =>
          usage.reduce(
            (sum, each) => sum + (Date.parse(each.day) === day && nameOf(each) === name ? each.calls : 0),
            0,
          ),
        ),
      })),
      omitted: 0,
    };
  }, [usage]);
  if (data.times.length < 2) return null;
  return (
    <figure class="card chart-view">
      <figcaption class="quiet">Calls by day (UTC) and key</figcaption>
      <TimeChart data={data} type="bars" height={180} label="Calls by day and key" />
    </figure>
  );
}

interface Sum {
  readonly first: Usage;
  calls: number;
  cached: number;
  errors: number;
  rows: number;
  bytes: number;
  engineMs: number;
  billed: number;
  /** Whether any call was recorded by itself, with its duration. */
  timed: boolean;
  /** The highest of a day. */
  p50: number;
  p95: number;
  p99: number;
}

function sums(usage: readonly Usage[], nameOf: (usage: Usage) => string): Map<string, Sum> {
  const all = new Map<string, Sum>();
  for (const each of usage) {
    const name = nameOf(each);
    const counts = { calls: 0, cached: 0, errors: 0, rows: 0, bytes: 0, engineMs: 0, billed: 0 };
    const sum = all.get(name) ?? { first: each, ...counts, timed: false, p50: 0, p95: 0, p99: 0 };
    sum.calls += each.calls;
    sum.cached += each.cached;
    sum.errors += each.errors;
    sum.rows += each.row_count ?? 0;
    sum.bytes += each.bytes ?? 0;
    sum.engineMs += each.engine_ms ?? 0;
    sum.billed += each.bytes_billed ?? 0;
    sum.timed ||= each.p50_ms !== null;
    sum.p50 = Math.max(sum.p50, each.p50_ms ?? 0);
    sum.p95 = Math.max(sum.p95, each.p95_ms ?? 0);
    sum.p99 = Math.max(sum.p99, each.p99_ms ?? 0);
    all.set(name, sum);
  }
  return all;
}

/** Rows of the table at most. */
const maxRows = 50;

/** By key and endpoint, those with most engine time first. */
function UsageTable({ usage }: { readonly usage: readonly Usage[] }) {
  const all = [...sums(usage, ({ key, endpoint }) => JSON.stringify([key, endpoint]))];
  const ordered = all.sort(([, a], [, b]) => b.engineMs - a.engineMs || b.calls - a.calls);
  const isBilled = all.some(([, { billed }]) => billed > 0);
  const more = ordered.length - maxRows;
  return (
    <>
      <PlainTable
        label="Usage by key and endpoint"
        heads={[
          ...['Key', 'Endpoint', 'Calls', 'Cache hits', 'Errors', 'Rows', 'Sent', 'Engine'],
          ...(isBilled ? ['Billed'] : []),
          ...['p50, worst day', 'p95, worst day', 'p99, worst day'],
        ]}
      >
        {ordered.slice(0, maxRows).map(([name, sum]) => (
          <tr key={name}>
            <th scope="row">
              <bdi>{oneLine(sum.first.key ?? '–')}</bdi>
            </th>
            <td>
              {sum.first.endpoint === null ? 'refused before' : <EndpointLink name={sum.first.endpoint} />}
            </td>
            <td>{sum.calls.toLocaleString('en')}</td>
            <td>{percentText(sum.cached / sum.calls)}</td>
            <td class={sum.errors > 0 ? 'mistake' : ''}>{sum.errors.toLocaleString('en')}</td>
            <td>{sum.rows.toLocaleString('en')}</td>
            <td>{bytesText(sum.bytes)}</td>
            <td>{durationText(sum.engineMs)}</td>
            {isBilled && <td>{bytesText(sum.billed)}</td>}
            {[sum.p50, sum.p95, sum.p99].map((each, index) => (
              <td key={index}>{sum.timed ? durationText(each) : '–'}</td>
            ))}
          </tr>
        ))}
      </PlainTable>
      {more > 0 && <p class="quiet">{more.toLocaleString('en')} more rows: query gateway.usage.</p>}
    </>
  );
}

function EndpointLink({ name }: { readonly name: string }) {
  const route = { page: 'endpoint', endpoint: name, values: new URLSearchParams() } as const;
  return <a href={formatRoute(route)}>{oneLine(name)}</a>;
}

const maxSlow = 20;

/** With where their time went. */
function SlowCalls({ calls }: { readonly calls: readonly SlowCall[] }) {
  return (
    <PlainTable
      label="Slowest calls"
      heads={[
        ...['Ended (UTC)', 'Key', 'Endpoint', 'API', 'Took', 'Queue', 'Planning', 'Engine', 'Rest'],
        ...['Rows', 'Error', 'Request'],
      ]}
    >
      {calls.slice(0, maxSlow).map((call) => {
        const { queue_ms: queue, planning_ms: planning, engine_ms: engine, duration_ms: took } = call;
        const known = [queue, planning, engine].map((each) => each ?? 0);
        const rest = Math.max(
          0,
          known.reduce((left, each) => left - each, took),
        );
        return (
          <tr key={`${call.timestamp} ${call.request_id} ${call.endpoint}`}>
            <td>{new Date(call.timestamp / 1000).toISOString().slice(0, 19).replace('T', ' ')}</td>
            <td>
              <bdi>{oneLine(call.key ?? '–')}</bdi>
            </td>
            <td>{call.endpoint === null ? '–' : <EndpointLink name={call.endpoint} />}</td>
            <td>{call.api}</td>
            <td>{durationText(took)}</td>
            {known.map((each, index) => (
              <td key={index}>{durationText(each)}</td>
            ))}
            <td>{durationText(rest)}</td>
            <td>{call.row_count?.toLocaleString('en') ?? '–'}</td>
            <td class={call.code === null ? '' : 'mistake'}>{call.code ?? ''}</td>
            <td>
              <code>{call.request_id ?? ''}</code>
            </td>
          </tr>
        );
      })}
    </PlainTable>
  );
}
