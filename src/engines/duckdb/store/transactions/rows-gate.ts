import type { Clock } from '../../../../base/system/clock.ts';
import type { SnapshotGate } from './snapshot-gate.ts';

/** How long queries wait for rows to be committed, in milliseconds. */
const maxWaitMs = 100;
/** Longer than committed rows take to become visible, in milliseconds. */
const momentMs = 50;

/** The gate for commits that only add rows: queries wait for them a limited time. */
export function rowsGate(gate: SnapshotGate, clock: Pick<Clock, 'after'>): Pick<SnapshotGate, 'commit'> {
  const after = (ms: number) => () => new Promise<void>((resolve) => void clock.after(ms, resolve));
  const waits = { longest: after(maxWaitMs), moment: after(momentMs) };
  return { commit: (task) => gate.commitRows(task, waits) };
}
