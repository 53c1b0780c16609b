import type { CodeEditorProps } from '../../parts/editor/code-editor.tsx';
import { Empty } from '../../parts/faces/faces.tsx';
import { Lazy } from '../../parts/lazy.tsx';

interface TestPanelProps {
  readonly test: string | undefined;
  readonly onTest: (test: string) => void;
}

const loadEditor = () => import('../../parts/editor/code-editor.tsx');
const noNames = { tables: [], functions: [], parameters: [], analyzed: new Map() };

/** The file with the tests of the endpoint. */
export function TestPanel({ test, onTest }: TestPanelProps) {
  if (test === undefined) {
    return (
      <Empty title="No tests yet">
        <p class="quiet">Try the endpoint, pick rows of its answer, and click Add as a test.</p>
      </Empty>
    );
  }
  const props: CodeEditorProps = {
    ...{ label: 'Test file', language: 'yaml', text: test, names: noNames },
    onText: onTest,
    onRun: () => {},
  };
  return (
    <>
      <Lazy load={loadEditor} props={props} placeholder={<pre class="editor editor-text">{test}</pre>} />
      <p class="quiet">
        <code>npx endpoint-gateway test</code> runs it, and <code>test --update</code> writes what the
        endpoint answers to the rows that it gives.
      </p>
    </>
  );
}
