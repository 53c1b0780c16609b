import { manyLines } from '../text/cell-text.ts';
import { CopyButton } from './copy-button.tsx';

interface CodeBlockProps {
  readonly label: string;
  readonly text: string;
}

/** Code to read and to copy. What is copied is the code as it is. */
export function CodeBlock({ label, text }: CodeBlockProps) {
  return (
    <div class="code">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      {/* biome-ignore lint/a11y/useSemanticElements: it is no part of a form */}
      <pre role="group" aria-label={label} tabIndex={0}>
        <code>{manyLines(text)}</code>
      </pre>
      <CopyButton text={() => text}>Copy</CopyButton>
    </div>
  );
}
