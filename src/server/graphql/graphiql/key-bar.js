/**
 * Runs in the page, before GraphiQL does: keeps the key for as long as the browser's tab is open, and sends it
 * with every request to the gateway's own `/graphql`, nowhere else.
 */
(() => {
  // That of the console, so that who opens this page from there need not enter it again.
  const storageName = 'api-key';
  const form = document.getElementById('key-bar');
  const input = document.getElementById('key-input');
  const status = document.getElementById('key-status');
  const send = window.fetch.bind(window);

  const key = () => input.value.trim();
  /** What a header can hold. */
  const isPossible = (text) => /^[\x21-\x7e]+$/.test(text);

  function show(state, text) {
    status.className = state;
    status.textContent = text;
  }

  function showBeforeAnswer() {
    if (key() === '') show('', 'Queries wait for it.');
    else if (!isPossible(key())) show('refused', 'A key has no spaces and only ASCII characters.');
    else show('', '');
  }

  function showAnswer(sentKey, { status: code }) {
    if (sentKey !== key()) return;
    if (code === 401) show('refused', 'This key is not known.');
    else if (code === 403) show('refused', 'This key may not run queries.');
    else show('accepted', 'Key accepted');
  }

  /** Requests that wait for an accepted key: what each does when the key has changed. */
  const waiting = new Set();

  function untilKeyChanges(signal) {
    return new Promise((resolve, reject) => {
      waiting.add(resolve);
      signal.addEventListener('abort', () => {
        waiting.delete(resolve);
        reject(signal.reason);
      });
    });
  }

  /** Sends a request with the key. It waits for an accepted one: GraphiQL would show a refusal until the next run. */
  async function sendWithKey(request) {
    for (;;) {
      const sentKey = key();
      if (isPossible(sentKey)) {
        const attempt = request.clone();
        attempt.headers.set('X-API-KEY', sentKey);
        const response = await send(attempt);
        showAnswer(sentKey, response);
        if (response.status !== 401) return response;
      }
      if (sentKey === key()) await untilKeyChanges(request.signal);
    }
  }

  window.fetch = (resource, options) => {
    const request = new Request(resource, options);
    const { origin, pathname } = new URL(request.url);
    return origin === location.origin && pathname === '/graphql' ? sendWithKey(request) : send(request);
  };

  function useKey() {
    if ((sessionStorage.getItem(storageName) ?? '') === key()) return;
    if (key() === '') sessionStorage.removeItem(storageName);
    else sessionStorage.setItem(storageName, key());
    showBeforeAnswer();
    const waited = [...waiting];
    waiting.clear();
    for (const goOn of waited) goOn();
    // Those that waited ask for the schema, too. GraphiQL has no other way to be told.
    if (waited.length === 0) document.querySelector('button[aria-label^="Re-fetch GraphQL schema"]')?.click();
  }

  /** GraphiQL finds the tab that was open last by what stood in it, and adds an empty one when it can't. */
  function rememberOpenTab() {
    const kept = localStorage.getItem('graphiql:tabState');
    if (kept === null) return;
    const { tabs, activeTabIndex } = JSON.parse(kept);
    for (const part of ['query', 'variables']) {
      const text = tabs[activeTabIndex]?.[part];
      if (text) localStorage.setItem(`graphiql:${part}`, text);
      else localStorage.removeItem(`graphiql:${part}`);
    }
  }

  let pause;
  input.value = sessionStorage.getItem(storageName) ?? '';
  input.addEventListener('input', () => {
    clearTimeout(pause);
    pause = setTimeout(useKey, 400);
  });
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    useKey();
  });
  showBeforeAnswer();
  rememberOpenTab();
  if (key() === '') input.focus();
})();
