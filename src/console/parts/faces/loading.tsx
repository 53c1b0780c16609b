import { useSeconds } from '../loading/use-seconds.ts';

interface LoadingProps {
  /** What takes its time, such as "Running the query". */
  readonly what: string;
  readonly onCancel?: (() => void) | undefined;
}

/** Shown while something is awaited. Seconds appear when it takes long. */
export function Loading({ what, onCancel }: LoadingProps) {
  const seconds = useSeconds();
  return (
    <div class="face" role="status">
      <progress class="face-progress" aria-label={what} />
      <p>
        {what}…{seconds >= 2 && <span class="quiet"> {seconds} s</span>}
      </p>
      {onCancel && (
        <button type="button" onClick={onCancel}>
          Cancel
        </button>
      )}
    </div>
  );
}
