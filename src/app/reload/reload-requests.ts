import { closeSync, openSync } from 'node:fs';

/** Reload requests by SIGHUP. */
export interface ReloadRequests {
  /** Calls back for each request, including one that was made before. */
  listen(onRequest: () => void): void;
}

/**
 * Makes SIGHUP request a reload instead of ending the process. A closed terminal sends it, too: then the process stops,
 * as for SIGTERM.
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
