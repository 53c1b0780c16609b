import { hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { renderGraphiQL } from '@graphql-yoga/render-graphiql';

/** A self-contained HTML page. */
export interface Page {
  readonly html: Uint8Array<ArrayBuffer>;
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

/**
 * Builds GraphiQL with the examples in tabs and an input for the API key. Building reads 9 MB of text and occupies its
 * thread for a second, so it must not run on the event loop.
 */
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
  const optionsText = JSON.stringify(options);
  const html = renderGraphiQL(options)
    .trim()
    // Settings contain user-written text, which must not be able to end the script element.
    .replace(optionsText, () => optionsText.replaceAll('<', '\\u003c'))
    .replace('</head>', () => `${viewport}<style>${style}</style></head>`)
    .replace(
      '<div id="root"></div>',
      () => `${bar}<script>${numbers}${script}</script><div id="root"></div>`,
    );
  return { html: new TextEncoder().encode(html), contentSecurityPolicy: policy(html) };
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
    `script-src ${scripts.join(' ')}`,
    'worker-src blob:',
    "style-src 'unsafe-inline'",
    'img-src data:',
    'font-src data:',
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}
