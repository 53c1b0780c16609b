import './style/main.css';
import { render } from 'preact';
import { App } from './app/app.tsx';
import { readPageFacts } from './app/shell.tsx';
import { rewriteAddress } from './router/route.ts';
import { storedKey, storeKey } from './session/session.ts';

const { keyInAddress } = readPageFacts(document);
const given = keyInAddress ? addressKey(location.hash) : undefined;
if (given !== undefined) {
  storeKey(given);
  // It must not be copied with the address.
  rewriteAddress({ page: 'endpoints' });
}
// The same address, opened in a tab that shows the page already.
addEventListener('hashchange', () => {
  if (keyInAddress && addressKey(location.hash) !== undefined) location.reload();
});

const root = document.querySelector('#root');
if (root !== null) render(<App firstKey={given ?? storedKey()} />, root);

/** The key in the fragment of an address, as `demo` and `dev` print it: `#key=<key>`. */
function addressKey(fragment: string): string | undefined {
  const [, text] = /^#key=(.+)$/.exec(fragment) ?? [];
  if (text === undefined) return undefined;
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
