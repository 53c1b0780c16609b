import type {
  Cost,
  EngineRequest,
  EngineResult,
  Estimate,
  StreamEnd,
  TakeColumns,
} from '../../../../src/engines/engine/engine.ts';
import { rowsInMemory } from '../../../../src/engines/rows/result-rows.ts';
import { columnsOfRows } from '../../../../src/sql/columns/columns-of-rows.ts';
import type { Row } from '../../../../src/sql/values/value.ts';

/** One run, which goes on until the test ends it, or until it is aborted. */
export interface FakeRun {
  readonly request: EngineRequest;
  readonly isAborted: boolean;
  succeed(rows: readonly Row[], cost?: Cost): void;
  fail(error: unknown): void;
}

/** An engine whose runs the test ends by hand; it heeds aborts at once. */
export class FakeEngine {
  readonly runs: FakeRun[] = [];
  /** Set to answer every run at once. */
  answer: ((request: EngineRequest) => readonly Row[]) | undefined;

  /** What runs cost that don't say otherwise. */
  cost: Cost | undefined;
  /** How long runs take that succeed, in milliseconds. */
  engineMs = 5;
  /** What it was asked to estimate. */
  readonly estimates: EngineRequest[] = [];
  estimated: Estimate | Error = { bytesProcessed: 1000 };

  /** The endpoints whose slices were dropped; undefined for all. */
  readonly dropped: (string | undefined)[] = [];

  dropSlices(endpoint?: string): void {
    this.dropped.push(endpoint);
  }

  async stream(request: EngineRequest, take: TakeColumns): Promise<StreamEnd> {
    const { rows, columns: _, ...end } = await this.run(request);
    await take(columnsOfRows(request.plan.columns, await rows.all()));
    return end;
  }

  async estimate(request: EngineRequest): Promise<Estimate> {
    this.estimates.push(request);
    if (this.estimated instanceof Error) throw this.estimated;
    return this.estimated;
  }

  run(request: EngineRequest): Promise<EngineResult> {
    const { promise, resolve, reject } = Promise.withResolvers<EngineResult>();
    const { signal, plan } = request;
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    const run: FakeRun = {
      request,
      get isAborted() {
        return signal.aborted;
      },
      succeed: (rows, cost = this.cost) =>
        resolve({
          columns: plan.columns,
          rows: rowsInMemory(rows),
          truncated: false,
          engineMs: this.engineMs,
          ...(cost && { cost }),
        }),
      fail: reject,
    };
    this.runs.push(run);
    if (this.answer !== undefined) {
      try {
        run.succeed(this.answer(request));
      } catch (error) {
        run.fail(error);
      }
    }
    return promise;
  }

  /** The run that began last. */
  get latest(): FakeRun {
    const run = this.runs.at(-1);
    if (run === undefined) throw new Error('nothing ran');
    return run;
  }
}
