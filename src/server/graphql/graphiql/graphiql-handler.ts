import { once } from 'node:events';
import { startThread } from '../../../base/processes/start-thread.ts';
import type { Answer } from '../../http/response/answer.ts';
import { FixedContent } from '../../http/response/fixed-content.ts';
import type { PublicHandler } from '../../http/route.ts';
import { operationExamples } from '../examples/examples.ts';
import { graphqlPath } from '../http/graphql-path.ts';
import type { SchemaShape } from '../shape/shape.ts';
import type { Page, PageContent } from './build-page.ts';

interface BuiltPage {
  readonly content: FixedContent;
  readonly headers: Answer['headers'];
}

/**
 * Serves GraphiQL to browsers that open `/graphql`. It needs no key: the page is the same for everybody and contains
 * only the names of endpoints. Everything else it requests from `/graphql`, with the key entered there.
 *
 * The page is built and compressed on first request.
 */
export function graphiqlHandler(shape: SchemaShape): PublicHandler {
  let page: Promise<BuiltPage> | undefined;

  return async ({ context }) => {
    page ??= buildInWorker({ path: graphqlPath, examples: operationExamples(shape) }).then(builtPage);
    const { content, headers } = await page;
    return content.answer(context.request, headers);
  };
}

function builtPage({ html, contentSecurityPolicy }: Page): BuiltPage {
  return {
    content: new FixedContent(Buffer.from(html.buffer), 'text/html; charset=utf-8'),
    headers: {
      'Content-Security-Policy': contentSecurityPolicy,
      'Cross-Origin-Opener-Policy': 'same-origin',
      'Referrer-Policy': 'no-referrer',
      'Cache-Control': 'no-cache',
      Vary: 'Accept, Accept-Encoding',
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
