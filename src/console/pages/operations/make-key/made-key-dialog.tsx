import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { copyText } from '../../../parts/copy/copy-button.tsx';
import { Dialog } from '../../../parts/overlays/dialog.tsx';

interface MadeKeyDialogProps {
  readonly title: string;
  readonly text: string;
  readonly onClose: () => void;
  readonly children?: ComponentChildren;
}

/** A key that is shown once. Only its buttons close it: whoever clicks beside it would have to make another key. */
export function MadeKeyDialog({ title, text, onClose, children }: MadeKeyDialogProps) {
  const [isRefused, setRefused] = useState(false);
  const copyAndClose = async () => {
    if (await copyText(text)) onClose();
    else setRefused(true);
  };
  return (
    <Dialog title={title} onClose={onClose} closes="never">
      {children}
      <p>Copy the key now. It is not shown again.</p>
      <code class="made-key">{text}</code>
      {isRefused && (
        <p class="mistake" role="alert">
          The browser doesn’t allow copying. Select the key and copy it by hand.
        </p>
      )}
      <div class="dialog-actions">
        <button type="button" onClick={onClose}>
          Close without copying
        </button>
        <button type="button" class="primary" onClick={copyAndClose}>
          Copy and close
        </button>
      </div>
    </Dialog>
  );
}
