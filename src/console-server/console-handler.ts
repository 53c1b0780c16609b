import { prefersHtml } from '../graphql/http/accept.ts';
import { graphqlPath } from '../graphql/http/graphql-path.ts';
import { type Answer, sendAnswer } from '../http/answer.ts';
import { entityTag, listsEntityTag } from '../http/entity-tag.ts';
import { chooseEncoding, type Encoding, encode } from '../http/page-encoding.ts';
import type { RequestContext, RouteHandler } from '../http/request-context.ts';
import type { BuiltFile } from './built-files.ts';
import { demoKeyPath } from './demo-key-handler.ts';

interface ConsoleOptions {
  /** The files of the build, by name. */
  readonly files: ReadonlyMap<string, BuiltFile>;
  /** Whether GraphiQL is served. */
  readonly graphiql: boolean;
  /** Whether the page may ask for the demo's key. */
  readonly offersKey: boolean;
}

const page = 'index.html';
const folder = '/console/';

/** The page runs its own scripts, and calls this gateway only: neither a key nor rows can be sent elsewhere. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const notBuilt = `<!doctype html>
<meta charset="utf-8">
<title>endpoint-gateway</title>
<p>The console has not been built. Run <code>npm run build:console</code>, then start the gateway again.</p>
`;

/**
 * Serves the console: its page at `/` to browsers, and its files below `/console/`. They need no key and are the same for
 * everybody. The page asks for a key, and calls the gateway's APIs with it.
 */
export function consoleHandler({ files, graphiql, offersKey }: ConsoleOptions): RouteHandler {
  const html = pageWith(files.get(page)?.content.toString(), {
    ...(graphiql && { graphiql: graphqlPath }),
    ...(offersKey && { 'demo-key': demoKeyPath }),
  });
  const bodies = new Map<string, Promise<Buffer>>();

  /** A body is compressed when it is first asked for. */
  function bodyOf(name: string, content: Buffer, encoding: Encoding): Promise<Buffer> {
    const key = `${encoding} ${name}`;
    const known = bodies.get(key);
    if (known !== undefined) return known;
    const body = encode(content, encoding);
    bodies.set(key, body);
    return body;
  }

  async function answer(context: RequestContext, name: string, file: BuiltFile): Promise<void> {
    const { headers } = context.request;
    const encoding = chooseEncoding(headers['accept-encoding']);
    const etag = entityTag(encoding, file.content);
    const common: Answer['headers'] = {
      ...(name === page && pageHeaders),
      'Cache-Control': isHashed(name) ? 'public, max-age=31536000, immutable' : 'no-cache',
      Vary: name === page ? 'Accept, Accept-Encoding' : 'Accept-Encoding',
      ETag: etag,
    };
    const known = headers['if-none-match'];
    if (known !== undefined && listsEntityTag(known, etag)) {
      sendAnswer(context, { status: 304, headers: common, body: '' });
      return;
    }
    const body = await bodyOf(name, file.content, encoding);
    const encoded: Answer['headers'] = encoding === 'identity' ? {} : { 'Content-Encoding': encoding };
    sendAnswer(context, {
      status: 200,
      headers: { ...common, ...encoded, 'Content-Type': file.mediaType },
      body,
    });
  }

  return (context) => {
    const { method, headers } = context.request;
    if (method !== 'GET' && method !== 'HEAD') return undefined;
    if (context.path === '/' && prefersHtml(headers.accept)) {
      if (html !== undefined) return answer(context, page, html);
      return Promise.resolve(sendAnswer(context, notBuiltAnswer));
    }
    const name = context.path.startsWith(folder) ? context.path.slice(folder.length) : page;
    const file = name === page ? undefined : files.get(name);
    return file && answer(context, name, file);
  };
}

const pageHeaders = {
  'Content-Security-Policy': contentSecurityPolicy,
  'Cross-Origin-Opener-Policy': 'same-origin',
};

const notBuiltAnswer: Answer = {
  status: 503,
  headers: { 'Content-Type': 'text/html; charset=utf-8', 'Cache-Control': 'no-store' },
  body: notBuilt,
};

/** The page with what it must know of this gateway. Its values are paths of the gateway's own. */
function pageWith(html: string | undefined, facts: Readonly<Record<string, string>>): BuiltFile | undefined {
  if (html === undefined) return undefined;
  const elements = Object.entries(facts).map(([name, value]) => `<meta name="${name}" content="${value}">`);
  const content = html.replace('</head>', () => `${elements.join('')}</head>`);
  return { content: Buffer.from(content), mediaType: 'text/html; charset=utf-8' };
}

/** Whether a file's name changes with its content. */
function isHashed(name: string): boolean {
  return /-[A-Z0-9]{8}\.\w+$/.test(name);
}
