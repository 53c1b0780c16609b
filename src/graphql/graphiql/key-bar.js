/**
 * Runs in the page, before GraphiQL does: keeps the key for as long as the browser's tab is open, and sends it
 * with every request to the gateway's own `/graphql`, nowhere else.
 */
(() => {
  const storageName = 'endpoint-gateway key';
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
    if (key() === '') show('', 'Nothing can be read without one.');
    else if (!isPossible(key())) show('refused', 'A key has no spaces and only ASCII characters.');
    else show('', '');
  }

  function showAnswer(sentKey, { status: code }) {
    if (sentKey !== key()) return;
    if (code === 401) show('refused', 'This key is not known.');
    else if (code === 403) show('refused', 'This key may not run queries.');
    else show('accepted', 'Key accepted');
  }

  /** What GraphiQL shows while there is no key: the gateway's own answer, without asking for it. */
  function refusal() {
    const message = 'Enter your API key above.';
    const body = JSON.stringify({ errors: [{ message, extensions: { code: 'UNAUTHENTICATED' } }] });
    return new Response(body, { status: 401, headers: { 'Content-Type': 'application/json' } });
  }

  window.fetch = async (resource, options) => {
    const request = new Request(resource, options);
    const { origin, pathname } = new URL(request.url);
    if (origin !== location.origin || pathname !== '/graphql') return send(request);
    const sentKey = key();
    if (!isPossible(sentKey)) return refusal();
    request.headers.set('X-API-KEY', sentKey);
    const response = await send(request);
    showAnswer(sentKey, response);
    return response;
  };

  function useKey() {
    if (sessionStorage.getItem(storageName) === key()) return;
    sessionStorage.setItem(storageName, key());
    showBeforeAnswer();
    // GraphiQL has no other way to be told.
    document.querySelector('button[aria-label^="Re-fetch GraphQL schema"]')?.click();
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
