import type { Clock } from '../../base/system/clock.ts';
import type { HeldFiles } from '../../engines/duckdb/store/database/held-files.ts';
import { bodyStream } from '../http/body/body-stream.ts';
import { writeHead } from '../http/response/response-head.ts';
import type { KeyedHandler } from '../http/route.ts';

/** Runs a task while the store's files stay as of the last commit: see `Store.hold`. */
export type HoldStore = <T>(task: (files: HeldFiles) => Promise<T>, signal: AbortSignal) => Promise<T>;

/**
 * `POST /api/store/hold`, for `gateway backup`: keeps the store's files as of the last commit for a process of this machine
 * that reads them. The first line of the response tells the files. They are kept until the body of the request ends, which
 * the second line, `{"released":true}`, confirms. Without this line, they may have changed.
 */
export function holdHandler(holdStore: HoldStore, clock: Clock): KeyedHandler {
  return async ({ context, deadline }) => {
    const { response } = context;
    const body = bodyStream(context, { clock, signal: deadline.signal });
    await holdStore(async ({ rows, ...files }) => {
      writeHead(context, 200, { 'Content-Type': 'application/x-ndjson; charset=utf-8' });
      response.write(`${JSON.stringify({ ...files, rows: Object.fromEntries(rows) })}\n`);
      for await (const _ of body);
    }, deadline.signal);
    response.end(`${JSON.stringify({ released: true })}\n`);
    return undefined;
  };
}
