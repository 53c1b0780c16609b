import { describe, expect, it } from 'vitest';
import packageJson from '../../../../package.json' with { type: 'json' };
import type { EngineProcessState } from '../../../../src/server/observability/metrics/engine-metrics.ts';
import type { MetricsSources } from '../../../../src/server/observability/metrics/gateway-metrics.ts';
import { metricsOf } from '../../../support/metrics.ts';

const metrics = (states: MetricsSources['states'] = {}) =>
  metricsOf({ engine: 'duckdb', cachedEntries: () => 3, cachedBytes: () => 4096, states });

describe('the metrics', () => {
  it('tell the versions of the gateway and of Node, and the engine', async () => {
    const { version } = packageJson;
    expect(await metrics().text()).toContain(
      `gateway_build_info{version="${version}",node="${process.versions.node}",engine="duckdb"} 1\n`,
    );
  });

  it('count runs by endpoint, engine and outcome, and how long they took', async () => {
    const { executor, text } = metrics();
    executor.engineRun('logs.all', 'success', 0.2);
    executor.engineRun('logs.all', 'success', 0.3);
    executor.engineRun('logs.all', 'cancelled', 1);
    const shown = await text();
    expect(shown).toContain(
      'gateway_engine_queries_total{endpoint="logs.all",engine="duckdb",outcome="success"} 2\n',
    );
    expect(shown).toContain(
      'gateway_engine_queries_total{endpoint="logs.all",engine="duckdb",outcome="cancelled"} 1\n',
    );
    expect(shown).toContain('gateway_engine_seconds_count{endpoint="logs.all",engine="duckdb"} 3\n');
    expect(shown).toContain(
      'gateway_engine_seconds_bucket{le="0.25",endpoint="logs.all",engine="duckdb"} 1\n',
    );
  });

  it('count what runs cost', async () => {
    const { executor, text } = metrics();
    const cost = { bytesProcessed: 3_000_000_000_000, bytesBilled: 3_145_728_000_000, slotMs: 1500 };
    executor.engineRun('a', 'success', 1, { cost: { ...cost, engineCacheHit: false } });
    executor.engineRun('a', 'success', 1, {
      cost: { bytesProcessed: 0, bytesBilled: 0, slotMs: 0, engineCacheHit: true },
    });
    executor.engineRun('a', 'success', 1, { cost: { bytesProcessed: 5, engineCacheHit: false } });
    executor.engineRun('b', 'success', 1);
    const lines = (await text())
      .split('\n')
      .filter((line) => /^gateway_engine_(bytes|slot|cache)/.test(line));
    expect(lines).toEqual([
      'gateway_engine_bytes_processed_total{endpoint="a",engine="duckdb"} 3000000000005',
      'gateway_engine_bytes_billed_total{endpoint="a",engine="duckdb"} 3145728000000',
      'gateway_engine_slot_seconds_total{endpoint="a",engine="duckdb"} 1.5',
      'gateway_engine_cache_hits_total{endpoint="a",engine="duckdb"} 1',
    ]);
  });

  it('count what collectors send', async () => {
    const { events, text } = metrics();
    events.rows('app', 'added', 50);
    events.rows('app', 'added', 1);
    events.rows('app', 'duplicate', 2);
    events.rejected('app', 'type', 3);
    events.committed(0.2);
    events.lag('app', 1.5);
    const lines = (await text())
      .split('\n')
      .filter((line) => /^gateway_ingest_(rows|rej|lag|.*count)/.test(line));
    expect(lines.sort()).toEqual([
      'gateway_ingest_commit_seconds_count 1',
      'gateway_ingest_lag_seconds{source="app"} 1.5',
      'gateway_ingest_rejected_total{source="app",cause="type"} 3',
      'gateway_ingest_rows_total{source="app",outcome="added"} 51',
      'gateway_ingest_rows_total{source="app",outcome="duplicate"} 2',
    ]);
  });

  it('show what each source has, and read it once for all of them', async () => {
    let reads = 0;
    const full = { source: 'full', rows: 7, bytes: 262_144, oldest: 1_000_000n, newest: 2_500_000n };
    const empty = { source: 'empty', rows: 0, bytes: 0, oldest: undefined, newest: undefined };
    const { text } = metrics({
      store: {
        async sourceStates() {
          reads++;
          return [full, empty];
        },
      },
    });
    const lines = (await text()).split('\n').filter((line) => line.startsWith('gateway_source_'));
    expect(lines).toEqual([
      'gateway_source_rows{source="full"} 7',
      'gateway_source_rows{source="empty"} 0',
      'gateway_source_bytes{source="full"} 262144',
      'gateway_source_bytes{source="empty"} 0',
      'gateway_source_oldest_timestamp_seconds{source="full"} 1',
      'gateway_source_newest_timestamp_seconds{source="full"} 2.5',
    ]);
    await text();
    expect(reads).toBe(1);
  });

  it('show the others when the engine can not tell what sources have', async () => {
    const { text } = metrics({ store: { sourceStates: () => Promise.reject(new Error('gone')) } });
    expect(await text()).toContain('gateway_cache_entries 3');
  });

  it('count what is asked of BigQuery', async () => {
    const { bigquery, text } = metrics();
    for (const outcome of ['answer', 'answer', 'no-answer'] as const) bigquery.attempt(outcome);
    bigquery.retry();
    bigquery.refused();
    bigquery.breaker(true);
    const lines = (await text()).split('\n').filter((line) => line.startsWith('gateway_bigquery'));
    expect(lines).toEqual([
      'gateway_bigquery_attempts_total{outcome="answer"} 2',
      'gateway_bigquery_attempts_total{outcome="no-answer"} 1',
      'gateway_bigquery_retries_total 1',
      'gateway_bigquery_refused_total 1',
      'gateway_bigquery_down 1',
    ]);
    bigquery.breaker(false);
    expect(await text()).toContain('gateway_bigquery_down 0\n');
  });

  it('count calls by what became of them, collapsed ones and refreshed results', async () => {
    const { executor, text } = metrics();
    for (const status of ['hit', 'hit', 'miss', 'stale', 'off'] as const) executor.cacheRequest('a', status);
    executor.collapsed('a');
    executor.warmRun('a', 'error');
    const shown = await text();
    const lines = shown.split('\n').filter((line) => /^gateway_(cache_requests|collapsed|warm)/.test(line));
    expect(lines).toEqual([
      'gateway_cache_requests_total{endpoint="a",result="hit"} 2',
      'gateway_cache_requests_total{endpoint="a",result="miss"} 1',
      'gateway_cache_requests_total{endpoint="a",result="stale"} 1',
      'gateway_cache_requests_total{endpoint="a",result="bypass"} 1',
      'gateway_collapsed_requests_total{endpoint="a"} 1',
      'gateway_warm_runs_total{endpoint="a",outcome="error"} 1',
    ]);
  });

  it('report the cached entries and the duration of requests', async () => {
    const { requests, text } = metrics();
    requests.request('rest', 200, 0.0004);
    const shown = await text();
    expect(shown).toContain('gateway_cache_entries 3\n');
    expect(shown).toContain('gateway_cache_bytes 4096\n');
    expect(shown).toContain('gateway_request_seconds_bucket{le="0.0005",api="rest",status="200"} 1\n');
    expect(shown).toContain('process_resident_memory_bytes ');
  });

  it("tell of the embedded engine's process", async () => {
    let current: EngineProcessState = { state: 'down', restarts: 0, memoryBytes: 0 };
    const { text } = metrics({ process: () => current });
    const shown = async () =>
      (await text()).match(/^gateway_engine_(?:up|restarts_total|memory_bytes) .*$/gm);
    expect(await shown()).toEqual([
      'gateway_engine_up 0',
      'gateway_engine_restarts_total 0',
      'gateway_engine_memory_bytes 0',
    ]);
    for (const [state, up] of [
      ['ready', 1],
      ['ready', 1],
      ['starting', 0],
    ] as const) {
      current = { state, restarts: 2, memoryBytes: 300_000_000 };
      expect(await shown()).toEqual([
        `gateway_engine_up ${up}`,
        'gateway_engine_restarts_total 2',
        'gateway_engine_memory_bytes 300000000',
      ]);
    }
    expect(await metrics().text()).not.toContain('gateway_engine_up');
  });
});
