import { hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { renderGraphiQL } from '@graphql-yoga/render-graphiql';

/** An HTML page, and the files that it loads. */
export interface Page {
  readonly html: Uint8Array<ArrayBuffer>;
  /** Of GraphiQL itself. They are the same for all gateways of a version. */
  readonly files: readonly PageFile[];
  /** The policy of this page only. Other pages have their own. */
  readonly contentSecurityPolicy: string;
}

/** A file that a page loads. */
export interface PageFile {
  /** It changes with the content. */
  readonly name: string;
  readonly mediaType: string;
  readonly content: Uint8Array<ArrayBuffer>;
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
 * Builds GraphiQL with the examples in tabs and an input for the API key. The page itself is small and shows at once; GraphiQL's
 * program and styles are files that browsers keep. Building reads 9 MB of text and occupies its
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
  const { program, start, styles } = partsOf(renderGraphiQL(options));
  const files = [
    fileOf('graphiql', 'js', program),
    // What the page says has the last word.
    fileOf('graphiql', 'css', `${styles}\n${style}`),
  ];
  const [programFile = '', styleFile = ''] = files.map(({ name }) => `${path}/${name}`);
  // Settings contain user-written text, which must not be able to end the script element.
  const safeStart = start.replace(optionsText, () => optionsText.replaceAll('<', '\\u003c'));
  const html = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <title>GraphiQL – ${title}</title>
    <link rel="icon" href="${options.favicon}">
    ${viewport}
    <link rel="preload" href="${styleFile}" as="style">
    <link rel="preload" href="${programFile}" as="script">
    <style>${style}</style>
  </head>
  <body>
    ${bar}
    <script>${numbers}${script}</script>
    <div id="root"><p class="wait" role="status">Loading GraphiQL…</p></div>
    <script>${starter(styleFile, programFile, safeStart)}</script>
  </body>
</html>
`;
  return { html: bytesOf(html), files, contentSecurityPolicy: policy(html) };
}

/** Loads GraphiQL after the page has been drawn, which compiling it would delay, and starts it. */
function starter(styleFile: string, programFile: string, start: string): string {
  return `
    const styles = Object.assign(document.createElement('link'), { rel: 'stylesheet', href: '${styleFile}' });
    const program = Object.assign(document.createElement('script'), { src: '${programFile}' });
    const loaded = [styles, program].map((element) => new Promise((resolve) => { element.onload = resolve; }));
    requestAnimationFrame(() => setTimeout(() => document.head.append(styles, program)));
    Promise.all(loaded).then(() => {
      ${start}
    });
  `;
}

/** GraphiQL's page in parts: its program, the call that starts it, and its styles. @throws Error if it isn't made as is known */
function partsOf(page: string): Readonly<Record<'program' | 'start' | 'styles', string>> {
  const [, styles] = /<style>(.*?)<\/style>/s.exec(page) ?? [];
  const from = page.indexOf('<script>') + '<script>'.length;
  const call = page.lastIndexOf('YogaGraphiQL.renderYogaGraphiQL(');
  const end = page.lastIndexOf('</script>');
  if (styles === undefined || call < from || end < call) throw new Error('GraphiQL has another form.');
  return { program: page.slice(from, call), start: page.slice(call, end), styles };
}

function fileOf(name: string, ending: 'js' | 'css', text: string): PageFile {
  const mediaType = `text/${ending === 'js' ? 'javascript' : 'css'}; charset=utf-8`;
  return {
    name: `${name}-${hash('sha256', text, 'hex').slice(0, 12)}.${ending}`,
    mediaType,
    content: bytesOf(text),
  };
}

function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text);
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
