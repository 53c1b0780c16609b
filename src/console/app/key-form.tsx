import { useEffect, useRef, useState } from 'preact/hooks';
import { readPageFacts } from './page-facts.ts';

interface KeyFormProps {
  /** Why the previous key was not accepted. */
  readonly rejection: string | undefined;
  readonly onKey: (key: string) => void;
}

/** Asks for an API key. */
export function KeyForm({ rejection, onKey }: KeyFormProps) {
  const { keyInAddress } = readPageFacts(document);
  const [mistake, setMistake] = useState<string>();
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.focus(), [rejection]);

  const submit = (event: Event) => {
    event.preventDefault();
    const key = input.current?.value.trim() ?? '';
    // Others can't be sent in a header.
    if (!/^[\x21-\x7e]+$/.test(key)) {
      setMistake(key === '' ? 'Enter an API key.' : 'API keys have no spaces and only ASCII characters.');
    } else onKey(key);
  };

  const message = mistake ?? rejection;
  return (
    <form class="card key-form" onSubmit={submit}>
      <h1>Open the console</h1>
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
        {keyInAddress && 'The address that was printed at the start contains a key. '}
        The key stays in this tab until you close it.
      </p>
      <button type="submit" class="primary wide">
        Continue
      </button>
    </form>
  );
}
