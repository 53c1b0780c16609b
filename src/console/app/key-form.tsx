import { useEffect, useRef, useState } from 'preact/hooks';
import { isObject, parseJson } from '../api/json.ts';
import { readPageFacts } from './page-facts.ts';

interface KeyFormProps {
  /** Why the previous key was not accepted. */
  readonly rejection: string | undefined;
  readonly onKey: (key: string) => void;
}

/** Asks for an API key. The demo offers one. */
export function KeyForm({ rejection, onKey }: KeyFormProps) {
  const { demoKey } = readPageFacts(document);
  const [mistake, setMistake] = useState<string>();
  const input = useRef<HTMLInputElement>(null);
  const demoButton = useRef<HTMLButtonElement>(null);
  useEffect(() => ((rejection === undefined && demoButton.current) || input.current)?.focus(), [rejection]);

  const submit = (event: Event) => {
    event.preventDefault();
    const key = input.current?.value.trim() ?? '';
    // Others can't be sent in a header.
    if (!/^[\x21-\x7e]+$/.test(key)) {
      setMistake(key === '' ? 'Enter an API key.' : 'API keys have no spaces and only ASCII characters.');
    } else onKey(key);
  };

  const takeDemoKey = async () => {
    try {
      onKey(await fetchDemoKey(demoKey ?? ''));
    } catch {
      setMistake(
        'The demo gives its key only to pages opened on the same machine. Enter the key that it has printed.',
      );
    }
  };

  const message = mistake ?? rejection;
  return (
    <form class="card key-form" onSubmit={submit}>
      <h1>Open the console</h1>
      {demoKey !== undefined && (
        <>
          <button type="button" class="primary wide" ref={demoButton} onClick={takeDemoKey}>
            Use the demo key
          </button>
          <p class="divider">or</p>
        </>
      )}
      <label for="key">API key</label>
      <input
        id="key"
        ref={input}
        type="password"
        autocomplete="off"
        spellcheck={false}
        aria-describedby="key-help"
        aria-invalid={message !== undefined}
      />
      {message !== undefined && (
        <p class="mistake" role="alert">
          {message}
        </p>
      )}
      <p id="key-help" class="quiet">
        The key stays in this tab until you close it.
      </p>
      <button type="submit" class={demoKey === undefined ? 'primary wide' : 'wide'}>
        Continue
      </button>
    </form>
  );
}

async function fetchDemoKey(path: string): Promise<string> {
  const response = await fetch(path, { cache: 'no-store' });
  const body = parseJson(await response.text());
  if (!isObject(body) || typeof body.key !== 'string') throw new Error('There is no demo key.');
  return body.key;
}
