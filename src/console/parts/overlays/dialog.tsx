import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { Icon } from '../icons/icon.tsx';

interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  /**
   * What closes it besides the buttons in it: `freely` a click beside it, Escape and ✕; `keys` the latter two; `never` nothing, for
   * what must not be lost by accident.
   */
  readonly closes?: 'freely' | 'keys' | 'never';
  /** What gets the focus afterwards, if not what had it before. */
  readonly returnTo?: () => HTMLElement | null;
  readonly children: ComponentChildren;
}

/** A dialog above the page. */
export function Dialog({ title, onClose, closes = 'freely', returnTo, children }: DialogProps) {
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  const isGone = useRef(false);
  useEffect(() => {
    const element = dialog.current;
    const before = document.activeElement;
    element?.showModal();
    return () => {
      isGone.current = true;
      element?.close();
      // Browsers do this by themselves only if the dialog is still there.
      const next = returnTo?.() ?? before;
      if (next instanceof HTMLElement) next.focus();
    };
  }, []);
  // A browser closes it at the second Escape, even if it was asked not to at the first one.
  const keepOpen = (event: Event) => event.preventDefault();
  return (
    <dialog
      ref={dialog}
      aria-labelledby={id}
      // Another dialog may be in its place by then.
      onClose={() => !isGone.current && onClose()}
      onCancel={closes === 'never' ? keepOpen : undefined}
      onKeyDown={(event) => closes === 'never' && event.key === 'Escape' && keepOpen(event)}
      onClick={(event) => closes === 'freely' && event.target === event.currentTarget && onClose()}
    >
      <div class="dialog">
        <header class="dialog-head">
          <h2 id={id}>{title}</h2>
          {closes !== 'never' && (
            <button type="button" class="plain" aria-label="Close" onClick={onClose}>
              <Icon name="close" />
            </button>
          )}
        </header>
        {children}
      </div>
    </dialog>
  );
}
