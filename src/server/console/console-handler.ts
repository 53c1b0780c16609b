import { GatewayError } from '../../base/errors/errors.ts';
import { graphqlPath } from '../graphql/http/graphql-path.ts';
import type { Answer } from '../http/response/answer.ts';
import { FixedContent } from '../http/response/fixed-content.ts';
import type { PublicHandler } from '../http/route.ts';
import type { BuiltFile } from './built-files.ts';

interface ConsoleOptions {
  /** The files of the build, by name. */
  readonly files: ReadonlyMap<string, BuiltFile>;
  /** Whether GraphiQL is served. */
  readonly graphiql: boolean;
  /** Whether the page takes a key from the fragment of its address. */
  readonly keyInAddress: boolean;
}

const page = 'index.html';

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

interface ServedFile {
  readonly content: FixedContent;
  readonly headers: Answer['headers'];
}

/**
 * Serves the console: its page at `/` to browsers, and its files below `/console/`. They need no key and are the same for
 * everybody. The page asks for a key, and calls the gateway's APIs with it.
 */
export function consoleHandlers({
  files,
  graphiql,
  keyInAddress,
}: ConsoleOptions): Readonly<Record<'page' | 'file', PublicHandler>> {
  const built = files.get(page);
  const html =
    built &&
    servedPage(built, {
      ...(graphiql && { graphiql: graphqlPath }),
      ...(keyInAddress && { 'key-in-address': 'yes' }),
    });
  const others = new Map(
    [...files].filter(([name]) => name !== page).map(([name, file]) => [name, servedFile(name, file)]),
  );

  return {
    page: async ({ context }) => html?.content.answer(context.request, html.headers) ?? notBuiltAnswer,
    file: async ({ context, segment }) => {
      const file = others.get(segment);
      if (file !== undefined) return file.content.answer(context.request, file.headers);
      throw new GatewayError('NOT_FOUND', 'Not found.');
    },
  };
}

const notBuiltAnswer: Answer = {
  status: 503,
  headers: { 'Content-Type': 'text/html; charset=utf-8', 'Cache-Control': 'no-store' },
  body: notBuilt,
};

/** The page with what it must know of this gateway. No value comes from outside. */
function servedPage({ content, mediaType }: BuiltFile, facts: Readonly<Record<string, string>>): ServedFile {
  const elements = Object.entries(facts).map(([name, value]) => `<meta name="${name}" content="${value}">`);
  const html = content.toString().replace('</head>', () => `${elements.join('')}</head>`);
  return {
    content: new FixedContent(Buffer.from(html), mediaType),
    headers: {
      'Content-Security-Policy': contentSecurityPolicy,
      'Cross-Origin-Opener-Policy': 'same-origin',
      'Cache-Control': 'no-cache',
      Vary: 'Accept, Accept-Encoding',
    },
  };
}

function servedFile(name: string, { content, mediaType }: BuiltFile): ServedFile {
  return {
    content: new FixedContent(content, mediaType),
    headers: {
      'Cache-Control': isHashed(name) ? 'public, max-age=31536000, immutable' : 'no-cache',
      Vary: 'Accept-Encoding',
    },
  };
}

/** Whether a file's name changes with its content. */
function isHashed(name: string): boolean {
  return /-[A-Z0-9]{8}\.\w+$/.test(name);
}
