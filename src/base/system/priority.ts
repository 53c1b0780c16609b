import { writeFileSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';
import { pid } from 'node:process';

/** The increase in niceness: a third of the event loop's share of a contended processor. 10 or 19 gained nothing more. */
const nicer = 5;
const nicest = 19;

/**
 * Lowers a thread's priority on Linux below the event loop's, which every request passes through. At equal priorities,
 * query work delays it: goodput at ten times the load was 8 % lower for stored queries, and 2 % for ad-hoc ones
 * (measured, on two cores).
 */
function lowerThread(id: number): void {
  unlessRefused(() => setPriority(id, lowered()));
}

/** Lowers the calling thread's priority. Other systems would apply it to the whole process. */
export function lowerThisThread(): void {
  if (process.platform === 'linux') lowerThread(0);
}

/** Lowers the priority of a process that leads a session, and of the session: Linux may share processors among sessions first. */
export function lowerSession(leader: number): void {
  lowerThread(leader);
  unlessRefused(() => writeFileSync(`/proc/${leader}/autogroup`, String(lowered())));
}

/** Below the process's first thread: a thread that is lowered itself starts processes that are as low as others. */
function lowered(): number {
  return Math.min(getPriority(pid) + nicer, nicest);
}

/** The process may have ended, or the system may not support or permit it. Then the priority stays unchanged. */
function unlessRefused(action: () => void): void {
  try {
    action();
  } catch {}
}
