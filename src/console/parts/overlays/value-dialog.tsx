import type { Json } from '../../api/json.ts';
import { CopyButton } from '../copy/copy-button.tsx';
import { wholeText } from '../text/cell-text.ts';
import { ValueTree } from '../value/value-tree.tsx';
import { Dialog } from './dialog.tsx';

interface ValueDialogProps {
  readonly name: string;
  readonly value: Json;
  readonly onClose: () => void;
}

/** A value, whole. */
export function ValueDialog({ name, value, onClose }: ValueDialogProps) {
  return (
    <Dialog title={name} onClose={onClose}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <section class="value-body" tabIndex={0} aria-label="Value">
        <ValueTree value={value} />
      </section>
      <CopyButton text={() => wholeText(value)}>Copy</CopyButton>
    </Dialog>
  );
}
