import { signalAmong } from '../../base/channel/caller.ts';
import { methods } from '../../base/channel/channel.ts';
import type { RowRemover } from '../../rows/deletion/row-remover.ts';
import type { RowStore } from '../../rows/ingest/row-store.ts';
import type { SupervisedEngine } from './supervised-engine.ts';

type RowCalls = RowStore & RowRemover;

/** Calls that change nothing. The next process repeats them if this one ends. */
const reading: ReadonlySet<keyof RowCalls> = new Set([
  'rowCounts',
  'state',
  'sourceStates',
  'origin',
  'newest',
] as const);

/** The rows in the engine process. Calls that change or hold them reject with BACKEND_UNAVAILABLE if it ends. */
export function rowClient(process: SupervisedEngine): RowCalls {
  return methods<RowCalls>((name, args) => {
    const signal = signalAmong(args);
    if (reading.has(name))
      return process.repeatably(undefined, signal, (session) => session.call(name, args));
    // Events that wait for their commit can't be taken back, so the call isn't cancelled.
    const sent = name === 'addEvents' ? args.slice(0, -1) : args;
    return process.once(signal, (session) => session.call(name, sent));
  });
}
