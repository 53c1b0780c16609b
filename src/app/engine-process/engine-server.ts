import type { Socket } from 'node:net';
import { LRUCache } from 'lru-cache';
import { Answerer } from '../../base/channel/answerer.ts';
import { FrameTransport } from '../../base/channel/frame-transport.ts';
import { GatewayError } from '../../base/errors/errors.ts';
import { LoopMonitor } from '../../base/loop/loop-monitor.ts';
import { systemClock } from '../../base/system/clock.ts';
import { returnGarbage } from '../../base/system/collect-garbage.ts';
import type { Log, LogFields } from '../../base/terminal/log.ts';
import { inChunks } from '../../engines/rows/in-chunks.ts';
import { packChunk } from '../../engines/rows/packed-chunk.ts';
import { cancelledCall, packError, UnknownPlanError } from '../../engines/wire/packed-error.ts';
import { packBatch } from '../../sql/columns/packed-batch.ts';
import { type Plan, unpackPlan } from '../../sql/plan/plan.ts';
import type { Row } from '../../sql/values/value.ts';
import { type OpenedDuckDb, openDuckDb } from './open-duckdb.ts';
import { type EngineCalls, type EngineEvent, protocolVersion } from './protocol.ts';

/** Maximum total size of the plans that the engine process keeps, in bytes. */
const maxPlansBytes = 64 << 20;

const noBytes = new Uint8Array();

/** Answers the gateway's calls in the engine process, until `close` or the failure of the store ends the connection. */
export function serveEngine(connection: Socket): void {
  const transport = new FrameTransport(connection);
  let opened: OpenedDuckDb | undefined;
  let isClosed = false;
  const calls: Partial<EngineCalls> = {
    async open(version, settings) {
      if (version !== protocolVersion)
        throw new Error(`The engine's protocol version is ${protocolVersion}, the gateway's is ${version}`);
      opened = await openDuckDb(settings, {
        log,
        onChange: (changed) => answerer.tell({ changed }),
      });
      const { useSources, planSources, rows, remover, engine } = opened;
      Object.assign(calls, { useSources, planSources }, rows, remover, queryCalls(engine, transport));
    },
    async close() {
      answerer.abort(new GatewayError('BACKEND_UNAVAILABLE', 'The engine is stopping'));
      await opened?.close();
      isClosed = true;
    },
    async ping() {},
  };
  const answerer: Answerer<EngineCalls, EngineEvent> = new Answerer(transport, calls, {
    packError,
    cancelled: cancelledCall,
    onAnswered() {
      // Only another process can reopen a failed store.
      if (isClosed || opened?.hasFailed()) connection.end();
    },
  });
  const logAt = (level: keyof Log) => (message: string, fields?: LogFields) =>
    answerer.tell({ level, message, fields });
  const log = { info: logAt('info'), warn: logAt('warn'), error: logAt('error') };
  // It ends with the process.
  new LoopMonitor({
    ...{ clock: systemClock, log, process: 'engine' },
    onDelay: (loopDelay) => answerer.tell({ loopDelay }),
    onRest: returnGarbage,
  });
}

type QueryCalls = Pick<EngineCalls, 'prepare' | 'run' | 'stream' | 'estimate' | 'profile'>;

/** The calls for queries, which keep plans. */
function queryCalls(engine: OpenedDuckDb['engine'], { pool }: FrameTransport): QueryCalls {
  const plans = new LRUCache<string, Plan>({
    maxSize: maxPlansBytes,
    sizeCalculation: ({ packed }) => packed.length,
  });
  const planOf = (id: string): Plan => {
    const plan = plans.get(id);
    if (plan === undefined) throw new UnknownPlanError('Unknown plan');
    return plan;
  };
  return {
    async prepare(packed) {
      const plan = unpackPlan(packed);
      await engine.prepare(plan);
      plans.set(plan.id, plan);
    },
    async run({ planId, form, ...query }, give) {
      let count = 0;
      const begin = async () => {
        if (count > 0) await give(noBytes);
        count = 0;
      };
      const take = async (rows: readonly Row[]) => {
        for (const chunk of inChunks(rows)) {
          count += chunk.length;
          await give(packChunk(chunk, form));
        }
      };
      const end = await engine.read({ ...query, plan: planOf(planId) }, { begin, take });
      return { ...end, count };
    },
    async stream({ planId, ...query }, give) {
      return engine.stream({ ...query, plan: planOf(planId) }, (batch) =>
        give(packBatch(batch, (bytes) => pool.take(bytes))),
      );
    },
    async estimate({ planId, ...query }) {
      return engine.estimate({ ...query, plan: planOf(planId) });
    },
    async profile({ planId, ...query }) {
      return engine.profile({ ...query, plan: planOf(planId) });
    },
  };
}
