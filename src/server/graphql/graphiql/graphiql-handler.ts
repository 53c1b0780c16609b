import { once } from 'node:events';
import { GatewayError } from '../../../base/errors/errors.ts';
import { startThread } from '../../../base/processes/start-thread.ts';
import type { Answer } from '../../http/response/answer.ts';
import { FixedContent } from '../../http/response/fixed-content.ts';
import type { PublicHandler } from '../../http/route.ts';
import { operationExamples } from '../examples/examples.ts';
import { graphqlPath } from '../http/graphql-path.ts';
import type { SchemaShape } from '../shape/shape.ts';
import type { Page, PageContent, PageFile } from './build-page.ts';

interface Served {
  readonly content: FixedContent;
  readonly headers: Answer['headers'];
}

interface BuiltPage {
  readonly page: Served;
  readonly files: ReadonlyMap<string, Served>;
}

/** The handlers of GraphiQL. */
export type GraphiqlHandlers = Readonly<Record<'page' | 'file', PublicHandler>>;

/**
 * Serves GraphiQL to browsers that open `/graphql`, and its files below. It needs no key: the page is the same for everybody and
 * contains only the names of endpoints. Everything else it requests from `/graphql`, with the key entered there.
 *
 * The page is built and compressed on first request.
 */
export function graphiqlHandlers(shape: SchemaShape): GraphiqlHandlers {
  let built: Promise<BuiltPage> | undefined;
  const build = () => {
    built ??= buildInWorker({ path: graphqlPath, examples: operationExamples(shape) }).then(builtPage);
    return built;
  };
  return {
    page: async ({ context }) => {
      const { content, headers } = (await build()).page;
      return content.answer(context.request, headers);
    },
    file: async ({ context, segment }) => {
      const file = (await build()).files.get(segment);
      if (file === undefined) throw new GatewayError('NOT_FOUND', 'Not found.');
      return file.content.answer(context.request, file.headers);
    },
  };
}

/** By name. Pages that are built after endpoints have changed have the same files, which are compressed once. */
const knownFiles = new Map<string, Served>();

function servedFile({ name, mediaType, content }: PageFile): Served {
  const known = knownFiles.get(name);
  if (known !== undefined) return known;
  const file = {
    content: new FixedContent(Buffer.from(content.buffer), mediaType),
    headers: { 'Cache-Control': 'public, max-age=31536000, immutable', Vary: 'Accept-Encoding' },
  };
  knownFiles.set(name, file);
  return file;
}

function builtPage({ html, files, contentSecurityPolicy }: Page): BuiltPage {
  return {
    files: new Map(files.map((file) => [file.name, servedFile(file)])),
    page: {
      content: new FixedContent(Buffer.from(html.buffer), 'text/html; charset=utf-8'),
      headers: {
        'Content-Security-Policy': contentSecurityPolicy,
        'Cross-Origin-Opener-Policy': 'same-origin',
        'Referrer-Policy': 'no-referrer',
        'Cache-Control': 'no-cache',
        Vary: 'Accept, Accept-Encoding',
      },
    },
  };
}

async function buildInWorker(content: PageContent): Promise<Page> {
  const worker = startThread(new URL('page-worker.ts', import.meta.url), { workerData: content });
  // Building a page doesn't delay shutdown.
  worker.unref();
  const [page] = await once(worker, 'message');
  return page;
}
