import { useState } from 'preact/hooks';
import { CodeBlock } from '../copy/code-block.tsx';

interface SnippetsViewProps {
  readonly snippets: readonly { readonly name: string; readonly text: string }[];
}

/** Code in several languages, to choose from and to copy. */
export function SnippetsView({ snippets }: SnippetsViewProps) {
  const [selected, setSelected] = useState('curl');
  const snippet = snippets.find(({ name }) => name === selected) ?? snippets[0];
  return (
    <div class="snippets">
      <fieldset class="chips">
        <legend class="only-heard">Language</legend>
        {snippets.map(({ name }) => (
          <button key={name} type="button" aria-pressed={name === selected} onClick={() => setSelected(name)}>
            {name}
          </button>
        ))}
      </fieldset>
      {snippet && <CodeBlock label={snippet.name} text={snippet.text} />}
      <p class="quiet">The variable API_KEY of the environment holds the key.</p>
    </div>
  );
}
