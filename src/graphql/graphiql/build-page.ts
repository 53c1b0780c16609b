import { hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { renderGraphiQL } from '@graphql-yoga/render-graphiql';

/** An HTML page that needs nothing but itself. */
export interface Page {
  readonly html: Uint8Array<ArrayBuffer>;
  readonly contentSecurityPolicy: string;
  /** Other pages have others. */
  readonly version: string;
}

const title = 'endpoint-gateway';

/** What is different from gateway to gateway. */
export interface PageContent {
  /** The path of GraphQL. */
  readonly path: string;
  /** The texts of operations, each for a tab. */
  readonly examples: readonly string[];
}

/**
 * GraphiQL with the examples in tabs, and with a bar for the key above it. It is made of 9 MB of text and keeps its
 * thread busy for a second: not for the thread that answers requests.
 */
export async function buildPage({ path, examples }: PageContent): Promise<Page> {
  const [bar, style, numbers, script, icon] = await Promise.all([
    part('key-bar.html'),
    part('page.css'),
    part('json-numbers.js'),
    part('key-bar.js'),
    part('icon.svg'),
  ]);
  const options = {
    title,
    endpoint: path,
    favicon: `data:image/svg+xml;base64,${Buffer.from(icon).toString('base64')}`,
    logo: icon,
    defaultTabs: examples.map((query) => ({ query })),
    // The key has a place of its own, which forgets it when the browser's tab is closed.
    shouldPersistHeaders: false,
    defaultEditorToolsVisibility: false,
  };
  const optionsText = JSON.stringify(options);
  const html = renderGraphiQL(options)
    .trim()
    // Settings are texts that somebody wrote: none of them may end the script.
    .replace(optionsText, () => optionsText.replaceAll('<', '\\u003c'))
    .replace('</head>', () => `<style>${style}</style></head>`)
    .replace(
      '<div id="root"></div>',
      () => `${bar}<script>${numbers}${script}</script><div id="root"></div>`,
    );
  return {
    html: new TextEncoder().encode(html),
    contentSecurityPolicy: policy(html),
    version: hash('sha256', html, 'base64url').slice(0, 22),
  };
}

function part(name: string): Promise<string> {
  return readFile(new URL(name, import.meta.url), 'utf8');
}

/** Lets the page's own scripts run and call the gateway, and nothing else, so that no key can leave it. */
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
