import { useState } from 'preact/hooks';
import type { Endpoint } from '../../api/endpoints.ts';
import type { Call } from '../../parts/answer/answer.ts';
import { snippetsOf } from '../../parts/answer/snippets.ts';
import { CodeBlock } from '../../parts/code-block.tsx';
import { graphqlSnippet } from './graphql-snippet.ts';

interface CodeTabProps {
  readonly call: Call;
  readonly endpoint: Endpoint;
}

/** The call in several languages, to copy. */
export function CodeTab({ call, endpoint }: CodeTabProps) {
  const snippets = [
    ...snippetsOf(call, location.origin),
    { name: 'GraphQL', text: graphqlSnippet(endpoint, call.values) },
  ];
  const [selected, setSelected] = useState('curl');
  const snippet = snippets.find(({ name }) => name === selected) ?? snippets[0];
  return (
    <div class="code-tab">
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
