import { useState } from 'preact/hooks';
import { copyText } from './copy-text.ts';

interface CopyButtonProps {
  readonly text: () => string;
  readonly children: string;
}

/** A button that copies a text, and says that it has. */
export function CopyButton({ text, children }: CopyButtonProps) {
  const [note, setNote] = useState<string>();
  const copy = async () => {
    setNote((await copyText(text())) ? 'Copied' : 'Copying is not allowed');
    setTimeout(() => setNote(undefined), 1500);
  };
  return (
    <button type="button" onClick={copy}>
      <span aria-live="polite">{note ?? children}</span>
    </button>
  );
}
