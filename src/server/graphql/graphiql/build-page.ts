import { hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';

/** The names of the files that the page loads, below the path of the API. */
export const programName = 'graphiql.js';
export const stylesName = 'graphiql.css';

/** An HTML page. */
export interface Page {
  readonly html: string;
  /** The policy of this page only. Other pages have their own. */
  readonly contentSecurityPolicy: string;
}

const title = 'endpoint-gateway';
/** Without it, browsers on phones lay the page out as for a screen of 980 pixels, and show it shrunk. */
const viewport = '<meta name="viewport" content="width=device-width, initial-scale=1">';

/** The parts that differ between gateways. */
export interface PageContent {
  /** The path of the GraphQL API. */
  readonly path: string;
  /** The texts of the example operations, one tab each. */
  readonly examples: readonly string[];
}

/** Builds a page with an input for the API key and GraphiQL with the examples in tabs. It is small: GraphiQL itself is in files. */
export async function buildPage({ path, examples }: PageContent): Promise<Page> {
  const [bar, style, numbers, script, icon] = await Promise.all([
    text(new URL('key-bar.html', import.meta.url)),
    text(new URL('page.css', import.meta.url)),
    text(new URL('json-numbers.js', import.meta.url)),
    text(new URL('key-bar.js', import.meta.url)),
    text(new URL('icon.svg', import.meta.url)),
  ]);
  const options = {
    title,
    endpoint: path,
    favicon: `data:image/svg+xml;base64,${Buffer.from(icon).toString('base64')}`,
    logo: icon,
    defaultTabs: examples.map((query) => ({ query })),
    // The key has its own storage, which the browser clears when the tab is closed.
    shouldPersistHeaders: false,
    defaultEditorToolsVisibility: false,
  };
  // Settings contain user-written text, which must not be able to end the script element.
  const settings = JSON.stringify(options).replaceAll('<', '\\u003c');
  const [program, styles] = [`${path}/${programName}`, `${path}/${stylesName}`];
  const html = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <title>GraphiQL – ${title}</title>
    <link rel="icon" href="${options.favicon}">
    ${viewport}
    <link rel="preload" href="${styles}" as="style">
    <link rel="preload" href="${program}" as="script">
    <style>${style}</style>
  </head>
  <body id="body" class="no-focus-outline">
    ${bar}
    <script>${numbers}${script}</script>
    <div id="root"><p class="wait" role="status">Loading GraphiQL…</p></div>
    <script>${starter({ program, styles, settings })}</script>
  </body>
</html>
`;
  return { html, contentSecurityPolicy: policy(html) };
}

interface Starter {
  readonly program: string;
  readonly styles: string;
  /** In JSON. */
  readonly settings: string;
}

/** Loads GraphiQL after the page has been drawn, which compiling it would delay, and starts it. */
function starter({ program, styles, settings }: Starter): string {
  return `
    const elements = [
      Object.assign(document.createElement('link'), { rel: 'stylesheet', href: '${styles}' }),
      Object.assign(document.createElement('script'), { src: '${program}' }),
    ];
    const loaded = elements.map((element) => new Promise((resolve) => { element.onload = resolve; }));
    requestAnimationFrame(() => setTimeout(() => document.head.append(...elements)));
    Promise.all(loaded).then(() => {
      YogaGraphiQL.renderYogaGraphiQL(document.querySelector('#root'), ${settings});
    });
  `;
}

function text(file: URL): Promise<string> {
  return readFile(file, 'utf8');
}

/** Allows the page to run its own scripts and call the gateway, and nothing else: a key can't be sent elsewhere. */
function policy(html: string): string {
  const scripts = [...html.matchAll(/<script>(.*?)<\/script>/gs)].map(
    ([, text = '']) => `'sha256-${hash('sha256', text, 'base64')}'`,
  );
  return [
    "default-src 'none'",
    `script-src 'self' ${scripts.join(' ')}`,
    'worker-src blob:',
    "style-src 'self' 'unsafe-inline'",
    'img-src data:',
    'font-src data:',
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}
