import type { ComponentChildren, RefObject } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { messageOf } from '../../api/failure.ts';
import { Dialog } from './dialog.tsx';

interface ConfirmDialogProps {
  /** The question, such as "Revoke the key acme?". */
  readonly title: string;
  /** What the button does, such as "Revoke". */
  readonly action: string;
  /** What has to be typed before, so that nobody confirms it by habit. */
  readonly typed?: string;
  /** What else there is to know before one decides. */
  readonly children?: ComponentChildren;
  /** Does it. The dialog closes when it is done, and shows why if it fails. */
  readonly onConfirm: () => Promise<void>;
  readonly onClose: () => void;
  /** Gets the focus when it is done: what had it before may be gone. */
  readonly returnTo: RefObject<HTMLElement | null>;
}

/** The second click of a double click comes within this time, in milliseconds. */
const doubleClickMs = 500;

/** Asks before something that can't be undone. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { title, action, typed, children, onConfirm, onClose, returnTo } = props;
  const id = useId();
  const [text, setText] = useState('');
  const [isOpenLong, setOpenLong] = useState(false);
  const [isSending, setSending] = useState(false);
  const [mistake, setMistake] = useState<string>();
  const isDone = useRef(false);
  useEffect(() => {
    const timer = setTimeout(() => setOpenLong(true), doubleClickMs);
    return () => clearTimeout(timer);
  }, []);
  const isReady = isOpenLong && !isSending && (typed === undefined || text.trim() === typed.trim());

  const submit = async (event: Event) => {
    event.preventDefault();
    if (!isReady) return;
    setSending(true);
    setMistake(undefined);
    try {
      await onConfirm();
      isDone.current = true;
      onClose();
    } catch (thrown) {
      setSending(false);
      setMistake(messageOf(thrown));
    }
  };

  return (
    <Dialog
      title={title}
      onClose={onClose}
      closes="keys"
      returnTo={() => (isDone.current ? returnTo.current : null)}
    >
      <form class="confirm" onSubmit={submit}>
        {children}
        {typed !== undefined && (
          <div class="parameter">
            <label for={id}>
              <span>
                Type <bdi class="typed">{typed}</bdi> to confirm
              </span>
            </label>
            <input
              id={id}
              autofocus
              value={text}
              autocomplete="off"
              spellcheck={false}
              onInput={({ currentTarget }) => setText(currentTarget.value)}
            />
          </div>
        )}
        {mistake !== undefined && (
          <p class="mistake failure-message" role="alert">
            {mistake}
          </p>
        )}
        <div class="dialog-actions">
          <button type="button" autofocus={typed === undefined} onClick={onClose}>
            Cancel
          </button>
          <button type="submit" class="danger" disabled={!isReady}>
            {action}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
