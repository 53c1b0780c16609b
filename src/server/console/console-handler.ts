import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { GatewayError } from '../../base/errors/errors.ts';
import { packageFolder } from '../../base/package-folder.ts';
import { graphqlPath } from '../graphql/http/graphql-path.ts';
import type { Answer } from '../http/response/answer.ts';
import { FixedContent } from '../http/response/fixed-content.ts';
import type { PublicHandler } from '../http/route.ts';

interface ConsoleOptions {
  /** The files of the build, by name. */
  readonly files: ReadonlyMap<string, BuiltFile>;
  /** Whether GraphiQL is served. */
  readonly graphiql: boolean;
  /** Whether the page takes a key from the fragment of its address. */
  readonly keyInAddress: boolean;
  /** Whether it has the page of its components, for those who change it. */
  readonly kit: boolean;
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
  kit,
}: ConsoleOptions): Readonly<Record<'page' | 'file', PublicHandler>> {
  const built = files.get(page);
  const html =
    built &&
    servedPage(built, {
      ...(graphiql && { graphiql: graphqlPath }),
      ...(keyInAddress && { 'key-in-address': 'yes' }),
      ...(kit && { kit: 'yes' }),
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

/** The page, with facts about this gateway as meta elements. No value comes from outside. */
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

/** A file of the console, as the build has written it. */
export interface BuiltFile {
  readonly content: Buffer;
  readonly mediaType: string;
}

/** Where `npm run build:console` writes. */
const builtFolder = path.join(packageFolder, 'dist/console');

const mediaTypes: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
};

/** The files of the console by name; none if it has not been built. */
export async function readBuiltFiles(folder = builtFolder): Promise<ReadonlyMap<string, BuiltFile>> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  const files = await Promise.all(
    names.map(async (name): Promise<readonly [string, BuiltFile]> => {
      const mediaType = mediaTypes[path.extname(name)] ?? 'application/octet-stream';
      return [name, { content: await readFile(path.join(folder, name)), mediaType }];
    }),
  );
  return new Map(files);
}
