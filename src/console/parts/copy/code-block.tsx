import { CopyButton } from './copy-button.tsx';

interface CodeBlockProps {
  readonly label: string;
  readonly text: string;
}

/** Code to read and to copy. */
export function CodeBlock({ label, text }: CodeBlockProps) {
  return (
    <section class="code" aria-label={label}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <pre tabIndex={0}>
        <code>{text}</code>
      </pre>
      <CopyButton text={() => text}>Copy</CopyButton>
    </section>
  );
}
