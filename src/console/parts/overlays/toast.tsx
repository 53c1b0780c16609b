import { Icon } from '../icons/icon.tsx';

interface ToastProps {
  readonly text: string;
  /** What can be done about it, such as "Undo". */
  readonly action: string;
  readonly onAction: () => void;
  readonly onClose: () => void;
}

/** What has just happened, and how to undo it. It stays until it is closed: nobody has to hurry. */
export function Toast({ text, action, onAction, onClose }: ToastProps) {
  return (
    <div class="toast" role="status">
      <span>{text}</span>
      <button type="button" onClick={onAction}>
        <Icon name="undo" /> {action}
      </button>
      <button type="button" class="plain" aria-label="Close this message" onClick={onClose}>
        <Icon name="close" />
      </button>
    </div>
  );
}
