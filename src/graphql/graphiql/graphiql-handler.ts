import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { sendAnswer } from '../../http/answer.ts';
import { chooseEncoding, type Encoding, encode } from '../../http/page-encoding.ts';
import type { RequestContext, RouteHandler } from '../../http/request-context.ts';
import { operationExamples } from '../examples.ts';
import { prefersHtml } from '../http/accept.ts';
import { graphqlPath } from '../http/graphql-path.ts';
import type { SchemaShape } from '../shape/shape.ts';
import type { Page, PageContent } from './build-page.ts';

/**
 * Serves GraphiQL to browsers that open `/graphql`. It needs no key: the page is the same for everybody and contains
 * only the names of endpoints. Everything else it requests from `/graphql`, with the key entered there.
 *
 * The page is built and compressed on first request.
 */
export function graphiqlHandler(shape: SchemaShape): RouteHandler {
  let page: Promise<Page> | undefined;
  const bodies = new Map<Encoding, Promise<Buffer>>();

  async function answer(requestContext: RequestContext): Promise<void> {
    const { headers } = requestContext.request;
    page ??= buildInWorker({ path: graphqlPath, examples: operationExamples(shape) });
    const { html, contentSecurityPolicy, version } = await page;
    const encoding = chooseEncoding(headers['accept-encoding']);
    const tag = `"${version}-${encoding}"`;
    const pageHeaders = {
      'Content-Security-Policy': contentSecurityPolicy,
      'Cross-Origin-Opener-Policy': 'same-origin',
      'Referrer-Policy': 'no-referrer',
      'Cache-Control': 'no-cache',
      Vary: 'Accept, Accept-Encoding',
      ETag: tag,
    };
    if (isKnown(headers['if-none-match'], tag)) {
      sendAnswer(requestContext, { status: 304, headers: pageHeaders, body: Buffer.alloc(0) });
      return;
    }
    let body = bodies.get(encoding);
    if (body === undefined) {
      body = encode(Buffer.from(html.buffer), encoding);
      bodies.set(encoding, body);
    }
    sendAnswer(requestContext, {
      status: 200,
      headers: {
        ...pageHeaders,
        'Content-Type': 'text/html; charset=utf-8',
        ...(encoding !== 'identity' && { 'Content-Encoding': encoding }),
      },
      body: await body,
    });
  }

  return (requestContext) => {
    const { method, headers } = requestContext.request;
    const isRead = method === 'GET' || method === 'HEAD';
    return requestContext.path === graphqlPath && isRead && prefersHtml(headers.accept)
      ? answer(requestContext)
      : undefined;
  };
}

async function buildInWorker(content: PageContent): Promise<Page> {
  const worker = new Worker(new URL('page-worker.ts', import.meta.url), { workerData: content });
  // Building a page doesn't delay shutdown.
  worker.unref();
  const [page] = await once(worker, 'message');
  return page;
}

/** Source: RFC 9110, section 13.1.2, with weak comparison. */
function isKnown(ifNoneMatch: string | undefined, tag: string): boolean {
  const known = ifNoneMatch?.split(',').map((item) => item.trim().replace(/^W\//, '')) ?? [];
  return known.includes(tag) || known.includes('*');
}
