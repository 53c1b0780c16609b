import { useState } from 'preact/hooks';

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

/** Copies a text, and returns whether the browser did. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyBySelection(text);
  }
}

/** For pages without a secure context, such as a gateway on another machine by HTTP. */
function copyBySelection(text: string): boolean {
  const area = document.createElement('textarea');
  area.value = text;
  area.className = 'off-screen';
  // What is beside an open dialog can't be selected.
  ([...document.querySelectorAll('dialog[open]')].at(-1) ?? document.body).append(area);
  const focused = document.activeElement;
  area.select();
  try {
    return document.execCommand('copy');
  } catch {
    return false;
  } finally {
    area.remove();
    if (focused instanceof HTMLElement) focused.focus();
  }
}
