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
      <div class="value-body">
        <ValueTree value={value} />
      </div>
      <CopyButton text={() => wholeText(value)}>Copy</CopyButton>
    </Dialog>
  );
}
