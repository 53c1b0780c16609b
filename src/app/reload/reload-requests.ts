import { closeSync, openSync } from 'node:fs';

/** Where SIGHUP leads to. */
export interface ReloadRequests {
  /** Has this called from now on, and at once if it was asked for before. */
  listen(onRequest: () => void): void;
}

/**
 * From now on SIGHUP asks for a reload instead of ending the process. A terminal that is closed sends it, too: then the process
 * stops, as it does for SIGTERM.
 */
export function reloadRequests(): ReloadRequests {
  const hadTerminal = hasTerminal();
  let isWanted = false;
  let notify = () => {
    isWanted = true;
  };
  process.on('SIGHUP', () => {
    if (hadTerminal && !hasTerminal()) process.kill(process.pid, 'SIGTERM');
    else notify();
  });
  return {
    listen(onRequest) {
      notify = onRequest;
      if (isWanted) onRequest();
    },
  };
}

/** Whether there is a terminal that can send signals to the process. */
function hasTerminal(): boolean {
  try {
    closeSync(openSync('/dev/tty', 'r'));
    return true;
  } catch {
    return false;
  }
}
