import { Random } from './random.ts';
import { type FuzzRequest, fuzzRequest } from './requests.ts';
import { type Received, send } from './send.ts';

export interface FuzzOptions {
  readonly port: number;
  readonly requests: number;
  readonly seed: number;
  /** How many at the same time. */
  readonly atOnce: number;
  /** How long an answer may take, in milliseconds. */
  readonly silenceMs: number;
  /** Keys that may see some rows only, to be presented beside the one that may see everything, which is `key`. */
  readonly boundKeys?: readonly string[];
  /** What stands in rows that none of those may see. */
  readonly hidden?: string;
  readonly onProgress?: (done: number) => void;
}

/** An answer that should not have been. */
export interface Finding {
  /** With it, the same request can be made again. */
  readonly seed: number;
  readonly reason: string;
  readonly request: string;
  readonly answer: string;
}

export interface FuzzOutcome {
  /** How many answers there were of each status; 0 stands for none. */
  readonly statuses: ReadonlyMap<number, number>;
  readonly findings: readonly Finding[];
}

/** Sends requests that hardly any client would send, each from its own seed. Nothing may be answered with a 5xx, or not at all. */
export async function fuzz(options: FuzzOptions): Promise<FuzzOutcome> {
  const { port, requests, seed, atOnce, silenceMs, boundKeys = [], hidden, onProgress } = options;
  const statuses = new Map<number, number>();
  const findings: Finding[] = [];
  let begun = 0;
  let done = 0;

  async function worker(): Promise<void> {
    while (begun < requests) {
      const own = seed + begun++;
      const request = fuzzRequest(new Random(own), boundKeys);
      // What isn't complete may well be waited for.
      const patienceMs = request.isComplete ? silenceMs : silenceMs / 20;
      const received = await send(port, addressOf(own), request.text, patienceMs);
      for (const status of received.statuses) statuses.set(status, (statuses.get(status) ?? 0) + 1);
      if (received.statuses.length === 0) statuses.set(0, (statuses.get(0) ?? 0) + 1);
      const reason = wrong(request, received) ?? (hidden && shown(hidden, request, received));
      if (reason !== undefined) {
        findings.push({
          seed: own,
          reason,
          request: request.text.slice(0, 2_000),
          answer: received.text.slice(0, 1_000),
        });
      }
      if (++done % 10_000 === 0) onProgress?.(done);
    }
  }
  await Promise.all(Array.from({ length: atOnce }, worker));
  return { statuses, findings };
}

/** Whether somebody was shown what none of his keys may see. */
function shown(hidden: string, { keys, text: asked }: FuzzRequest, { text }: Received): string | undefined {
  if (keys.includes('key') || asked.includes(hidden) || !text.includes(hidden)) return undefined;
  return 'rows of somebody else';
}

function wrong(
  { isComplete, count, text: asked }: FuzzRequest,
  { statuses, text, isSilent }: Received,
): string | undefined {
  const failed = statuses.find((status) => status >= 500);
  if (failed !== undefined) return `status ${failed}`;
  if (isComplete && isSilent) return 'no answer';
  if (isComplete && statuses.length < count) return 'closed without an answer';
  // Of several answers, one may well be the metrics, which name the engine.
  const isError = count === 1 && statuses.some((status) => status >= 400);
  return isError && /\n {4}at |node:internal|duckdb|\/src\//i.test(text) && !/duckdb/i.test(asked)
    ? 'innards in the answer'
    : undefined;
}

/** Linux takes all of 127/8 for its own: with one address, its ports would run out. */
function addressOf(seed: number): string {
  return process.platform === 'linux' ? `127.0.${1 + (seed % 200)}.1` : '127.0.0.1';
}
