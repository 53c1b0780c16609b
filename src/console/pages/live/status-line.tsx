import type { Failure } from '../../api/failure.ts';
import type { TailStatus } from '../../parts/live/tail-follower.ts';
import { useSeconds } from '../../parts/loading/use-load.ts';

interface StatusLineProps {
  readonly status: TailStatus;
  readonly isPaused: boolean;
  readonly failedRun: Failure | undefined;
  readonly onRetry: () => void;
}

/** How it is with the stream, in words. */
export function StatusLine({ status, isPaused, failedRun, onRetry }: StatusLineProps) {
  const { kind, text } = wordsOf(status, isPaused);
  return (
    <div class="live-status">
      <span role="status">
        <span class={`live-dot live-dot-${kind}`} aria-hidden="true" />
        {text}
      </span>
      {status.state === 'waiting' && (
        <>
          <NextAttempt until={status.until} />
          <button type="button" onClick={onRetry}>
            Connect now
          </button>
        </>
      )}
      {status.state === 'live' && failedRun && (
        <span class="mistake" role="alert">
          The last run has failed, and the next one follows: {failedRun.message}
        </span>
      )}
    </div>
  );
}

function NextAttempt({ until }: { readonly until: number }) {
  useSeconds();
  const seconds = Math.max(0, Math.ceil((until - Date.now()) / 1000));
  return <span class="quiet">Next attempt in {seconds} s</span>;
}

interface Words {
  readonly kind: 'live' | 'paused' | 'waiting' | 'ended';
  readonly text: string;
}

function wordsOf(status: TailStatus, isPaused: boolean): Words {
  switch (status.state) {
    case 'connecting':
      return { kind: 'waiting', text: 'Connecting' };
    case 'live':
      return isPaused ? { kind: 'paused', text: 'Paused' } : { kind: 'live', text: 'Live' };
    case 'waiting': {
      const { failure } = status;
      if (failure === undefined)
        return { kind: 'waiting', text: 'Reconnecting: the gateway has ended the stream.' };
      const state = failure.facts.code === 'OFFLINE' ? 'Offline' : 'Reconnecting';
      return { kind: 'waiting', text: `${state}: ${failure.message}` };
    }
    case 'ended':
      return { kind: 'ended', text: `Ended: ${status.failure.message.split('\n', 1)[0]}` };
  }
}
