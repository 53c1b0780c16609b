import type { ComponentChildren } from 'preact';
import { Failure, messageOf } from '../../api/failure.ts';
import { useSeconds } from '../loading/use-load.ts';
import { manyLines } from '../text/cell-text.ts';

interface EmptyProps {
  readonly title: string;
  /** What to do about it. */
  readonly children?: ComponentChildren;
}

/** Shown where there is nothing to show. */
export function Empty({ title, children }: EmptyProps) {
  return (
    <div class="face">
      <p class="face-title">{title}</p>
      {children}
    </div>
  );
}

interface FileErrorsProps {
  readonly title: string;
  /** With the places of the errors. */
  readonly errors: readonly string[];
}

/** Shown where something is served as it was, or isn't, because its file has errors. */
export function FileErrors({ title, errors }: FileErrorsProps) {
  return (
    <div class="card file-errors" role="status">
      <p class="mistake">{title}</p>
      <ul>
        {errors.map((error) => (
          <li key={error}>
            <code>{manyLines(error)}</code>
          </li>
        ))}
      </ul>
    </div>
  );
}

interface LoadingProps {
  /** What takes its time, such as "Running the query". */
  readonly what: string;
  readonly onCancel?: (() => void) | undefined;
}

/** That something is awaited, in a line. Seconds appear when it takes long. */
export function Running({ what }: Pick<LoadingProps, 'what'>) {
  const seconds = useSeconds();
  return (
    <p>
      {what}…{seconds >= 2 && <span class="quiet"> {seconds} s</span>}
    </p>
  );
}

/** Shown while something is awaited. */
export function Loading({ what, onCancel }: LoadingProps) {
  return (
    <div class="face" role="status">
      <progress class="face-progress" aria-label={what} />
      <Running what={what} />
      {onCancel && (
        <button type="button" onClick={onCancel}>
          Cancel
        </button>
      )}
    </div>
  );
}

interface FailureFaceProps {
  readonly failure: unknown;
  readonly onRetry?: (() => void) | undefined;
  /** What else one can do about it. */
  readonly children?: ComponentChildren;
}

/** Shown instead of what has failed: the gateway's message, and what to do about it. */
export function FailureFace({ failure, onRetry, children }: FailureFaceProps) {
  const { title, message, advice } = explain(failure);
  return (
    <div class="face failure" role="alert">
      <p class="face-title">{title}</p>
      <p class="failure-message">{manyLines(message)}</p>
      {advice && <p class="quiet">{advice}</p>}
      {onRetry && (
        <button type="button" onClick={onRetry}>
          Try again
        </button>
      )}
      {children}
    </div>
  );
}

interface Explanation {
  readonly title: string;
  readonly message: string;
  readonly advice?: string | undefined;
}

const explanations: Readonly<Record<string, Omit<Explanation, 'message'>>> = {
  OFFLINE: { title: 'Offline', advice: 'Check the network, and whether the gateway is running.' },
  CODE_NOT_LOADED: { title: 'Not loaded', advice: 'Try again: the page is loaded anew.' },
  BAD_USER_INPUT: { title: 'Invalid value' },
  SANDBOX_VIOLATION: { title: 'The query is not allowed' },
  UNAUTHENTICATED: { title: 'Invalid API key' },
  FORBIDDEN: { title: 'No permission', advice: 'Ask the operator for a key that may do this.' },
  NOT_FOUND: { title: 'Not found' },
  COST_LIMIT_EXCEEDED: {
    title: 'Cost limit exceeded',
    advice: 'Narrow the query, or ask the operator for a higher limit.',
  },
  QUERY_FAILED: { title: 'The query failed' },
  RATE_LIMITED: { title: 'Too many requests' },
  ALLOWANCE_EXHAUSTED: { title: 'The allowance of this key is spent' },
  OVERLOADED: { title: 'The gateway is overloaded' },
  BACKEND_UNAVAILABLE: {
    title: 'The engine is not available',
    advice: 'It may be starting. Try again in a moment.',
  },
  QUERY_TIMEOUT: { title: 'The query took too long', advice: 'Narrow the range of time.' },
};

function explain(failure: unknown): Explanation {
  if (!(failure instanceof Failure)) {
    const message = messageOf(failure);
    return { title: 'The console has failed', message, advice: 'Reload the page.' };
  }
  const { code, status, retryAfter, location } = failure.facts;
  if (location !== undefined) return { title: 'The query has an error', message: failure.message };
  const known = explanations[code] ?? { title: status === 0 ? 'Failed' : `Failed with status ${status}` };
  const wait = retryAfter === undefined ? undefined : `Try again in ${retryAfter} s.`;
  return { ...known, message: failure.message, advice: wait ?? known.advice };
}
