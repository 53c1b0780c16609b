import { useEffect, useState } from 'preact/hooks';

interface LoadingProps {
  /** What takes its time, such as "Running the query". */
  readonly what: string;
  /** How much of it is done, from 0 to 1, if that is known. */
  readonly done?: number | undefined;
  readonly onCancel?: (() => void) | undefined;
}

/** Shown while something is awaited. Seconds appear when it takes long. */
export function Loading({ what, done, onCancel }: LoadingProps) {
  const seconds = useSeconds();
  return (
    <div class="face" role="status">
      <progress
        class="face-progress"
        aria-label={what}
        {...(done !== undefined && { value: done, max: 1 })}
      />
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

function useSeconds(): number {
  const [seconds, setSeconds] = useState(0);
  useEffect(() => {
    const start = performance.now();
    const timer = setInterval(() => setSeconds(Math.round((performance.now() - start) / 1000)), 1000);
    return () => clearInterval(timer);
  }, []);
  return seconds;
}
