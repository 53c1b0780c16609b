import { once } from 'node:events';
import { GatewayError } from '../../../base/errors/errors.ts';
import { startThread } from '../../../base/processes/start-thread.ts';
import type { Answer } from '../../http/response/answer.ts';
import { FixedContent } from '../../http/response/fixed-content.ts';
import type { PublicHandler } from '../../http/route.ts';
import { operationExamples } from '../examples/examples.ts';
import { graphqlPath } from '../http/graphql-path.ts';
import type { SchemaShape } from '../shape/shape.ts';
import type { PageFile } from './build-files.ts';
import { buildPage, type Page } from './build-page.ts';

interface Served {
  readonly content: FixedContent;
  readonly headers: Answer['headers'];
}

/** The handlers of GraphiQL. */
export type GraphiqlHandlers = Readonly<Record<'page' | 'file', PublicHandler>>;

/**
 * Serves GraphiQL to browsers that open `/graphql`, and its files below. It needs no key: the page is the same for everybody and
 * contains only the names of endpoints. Everything else it requests from `/graphql`, with the key entered there.
 *
 * The page is built on first request, and so are the files, which take longer: meanwhile, the page is shown.
 */
export function graphiqlHandlers(shape: SchemaShape): GraphiqlHandlers {
  let page: Promise<Served> | undefined;
  return {
    page: async ({ context }) => {
      // A failure is reported to the requests for the files.
      servedFiles().catch(() => {});
      page ??= buildPage({ path: graphqlPath, examples: operationExamples(shape) }).then(servedPage);
      const { content, headers } = await page;
      return content.answer(context.request, headers);
    },
    file: async ({ context, segment }) => {
      const file = (await servedFiles()).get(segment);
      if (file === undefined) throw new GatewayError('NOT_FOUND', 'Not found.');
      return file.content.answer(context.request, file.headers);
    },
  };
}

function servedPage({ html, contentSecurityPolicy }: Page): Served {
  return {
    content: new FixedContent(Buffer.from(html), 'text/html; charset=utf-8'),
    headers: {
      'Content-Security-Policy': contentSecurityPolicy,
      'Cross-Origin-Opener-Policy': 'same-origin',
      'Referrer-Policy': 'no-referrer',
      'Cache-Control': 'no-cache',
      Vary: 'Accept, Accept-Encoding',
    },
  };
}

let files: Promise<ReadonlyMap<string, Served>> | undefined;

/** The files by name. They don't depend on endpoints: a process builds and compresses them once. */
function servedFiles(): Promise<ReadonlyMap<string, Served>> {
  files ??= buildInWorker().then((built) => new Map(built.map((file) => [file.name, servedFile(file)])));
  return files;
}

function servedFile({ mediaType, content }: PageFile): Served {
  return {
    content: new FixedContent(Buffer.from(content.buffer), mediaType),
    headers: { 'Cache-Control': 'no-cache', Vary: 'Accept-Encoding' },
  };
}

async function buildInWorker(): Promise<readonly PageFile[]> {
  const worker = startThread(new URL('files-worker.ts', import.meta.url));
  // Building doesn't delay shutdown.
  worker.unref();
  const [built] = await once(worker, 'message');
  return built;
}
