import { useState } from 'preact/hooks';

interface ConfirmButtonProps {
  /** What the button does, such as "Revoke". */
  readonly children: string;
  /** The question, such as "Revoke the key acme?". */
  readonly question: string;
  readonly onConfirm: () => void;
}

/** A button that asks before it does something that can't be undone. */
export function ConfirmButton({ children, question, onConfirm }: ConfirmButtonProps) {
  const [isAsking, setAsking] = useState(false);
  if (!isAsking) {
    return (
      <button type="button" aria-label={question} onClick={() => setAsking(true)}>
        {children}
      </button>
    );
  }
  return (
    <span class="confirm">
      <button
        type="button"
        class="danger"
        ref={(button) => button?.focus()}
        aria-label={`${question} Yes`}
        onClick={() => {
          setAsking(false);
          onConfirm();
        }}
      >
        {children}
      </button>
      <button type="button" onClick={() => setAsking(false)}>
        Keep
      </button>
    </span>
  );
}
