import { processorMs } from '../../../../src/base/processes/processor-time.ts';
import { residentBytes } from '../../../../src/base/processes/watch.ts';
import { systemClock } from '../../../../src/base/system/clock.ts';
import { type Catalog, catalogToProto, withOptionsIn } from '../../../../src/sql/analyzer/catalog.ts';
import { AnalyzerError } from '../../../../src/sql/analyzer/error.ts';
import { mayBeFatal, refuseFatalConstructs } from '../../../../src/sql/analyzer/fatal-constructs.ts';
import { analyzerOptions, functionOptions, languageOptions } from '../../../../src/sql/analyzer/language.ts';
import type { AnalyzerMethod } from '../../../../src/sql/analyzer/protocol/protocol.ts';
import { AnalyzerSession } from '../../../../src/sql/analyzer/session.ts';
import { defaultAnalyzerSettings } from '../../../../src/sql/analyzer/settings.ts';
import type { AnyNode } from '../../../../src/sql/resolved/node.ts';
import type { SqlType } from '../../../../src/sql/values/type.ts';

/**
 * What became of a text: `answered`, also with an error about the text; `ended`, if the process died; `slow` or `large`, if it took
 * much processor time or memory; `defect`, if the error is about the analyzer's own code.
 */
export interface Outcome {
  readonly kind: 'answered' | 'ended' | 'slow' | 'large' | 'defect';
  readonly message: string;
}

const slowMs = 3_000;
const largeBytes = 600e6;
/** Patience for a machine that does much else. */
const timeoutMs = 60_000;
const { memoryMb, stackKb } = defaultAnalyzerSettings;
const limits = { addressSpaceMb: memoryMb, stackKb };

// gRPC status codes
const [deadlineExceeded, internal, unavailable] = [4, 13, 14];

/** One analyzer process that works on one text at a time, and is replaced when a text harms it. */
export class IsolatedAnalyzer implements AsyncDisposable {
  readonly #catalog: Catalog;
  readonly #parameters: ReadonlyMap<string, SqlType>;
  #session: AnalyzerSession | undefined;

  constructor(catalog: Catalog, parameters: ReadonlyMap<string, SqlType>) {
    this.#catalog = catalog;
    this.#parameters = parameters;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#session?.end('the test is over');
    this.#session = undefined;
  }

  /** Makes any call of the service. */
  async call(method: AnalyzerMethod, request: object): Promise<unknown> {
    return (await this.#current()).call(method, request);
  }

  /** What becomes of a text. A harm counts if the text does it again to new processes. */
  async outcome(sql: string): Promise<Outcome> {
    let outcome = await this.#tried(sql);
    for (let again = 0; again < 2 && outcome.kind !== 'answered' && outcome.kind !== 'defect'; again++) {
      await this[Symbol.asyncDispose]();
      outcome = await this.#tried(sql);
    }
    if (outcome.kind !== 'answered' && outcome.kind !== 'defect') await this[Symbol.asyncDispose]();
    return outcome;
  }

  async #current(): Promise<AnalyzerSession> {
    this.#session ??= await AnalyzerSession.start(limits, timeoutMs, systemClock);
    return this.#session;
  }

  async #tried(sql: string): Promise<Outcome> {
    const session = await this.#current();
    const before = processorMs(session.pid) ?? 0;
    try {
      await this.#analyze(session, sql);
    } catch (error) {
      return outcomeOf(error);
    }
    const spentMs = (processorMs(session.pid) ?? 0) - before;
    if (spentMs > slowMs) return { kind: 'slow', message: `${spentMs} ms` };
    const bytes = (await residentBytes(session.pid)) ?? 0;
    return bytes > largeBytes
      ? { kind: 'large', message: `${bytes} bytes` }
      : { kind: 'answered', message: '' };
  }

  /** As the gateway does it: a definition of a function at the beginning is analyzed as one, all else as a query. */
  async #analyze(session: AnalyzerSession, sql: string): Promise<void> {
    const isDefinition = /^\s*CREATE\b/i.test(sql);
    const text = isDefinition
      ? { parse_resume_location: { input: sql, byte_position: 0, allow_resume: true } }
      : { sql_statement: sql };
    const parsed = (await session.call('parse', { ...text, options: languageOptions })) as {
      readonly parsed_statement: AnyNode;
    };
    if (mayBeFatal(sql)) refuseFatalConstructs(sql, parsed.parsed_statement);
    const catalog = withOptionsIn(this.#catalog, sql);
    await session.call('analyze', {
      ...text,
      options: isDefinition ? functionOptions() : analyzerOptions(this.#parameters),
      ...(catalog === this.#catalog
        ? { registered_catalog_id: await session.register(catalog, catalogToProto) }
        : { simple_catalog: catalogToProto(catalog) }),
    });
  }
}

function outcomeOf(error: unknown): Outcome {
  if (error instanceof AnalyzerError) return { kind: 'answered', message: error.message };
  const { code, details } = error as { code?: unknown; details?: unknown };
  const message = String(details ?? error);
  if (code === deadlineExceeded) return { kind: 'slow', message };
  if (code === unavailable || message === 'Unexpected error in RPC handling')
    return { kind: 'ended', message };
  const isDefect = code === internal || /RET_CHECK|\.(?:cc|h):\d+/.test(message);
  return { kind: isDefect ? 'defect' : 'answered', message };
}
