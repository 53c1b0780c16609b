import { readFile } from 'node:fs/promises';
import { renderGraphiQL } from '@graphql-yoga/render-graphiql';
import { programName, stylesName } from './build-page.ts';

/** A file that the page loads. */
export interface PageFile {
  readonly name: string;
  readonly mediaType: string;
  readonly content: Uint8Array<ArrayBuffer>;
}

/**
 * GraphiQL's program and its styles, which are the same for all gateways of a version. Building reads 9 MB of text and occupies its
 * thread for a second, so it must not run on the event loop.
 */
export async function buildFiles(): Promise<readonly PageFile[]> {
  const { program, styles } = partsOf(renderGraphiQL());
  const own = await readFile(new URL('page.css', import.meta.url), 'utf8');
  return [
    { name: programName, mediaType: 'text/javascript; charset=utf-8', content: bytesOf(program) },
    // What the page says has the last word.
    { name: stylesName, mediaType: 'text/css; charset=utf-8', content: bytesOf(`${styles}\n${own}`) },
  ];
}

/** The parts of GraphiQL's own page, without the call that starts it. @throws Error if it isn't made as is known */
function partsOf(page: string): Readonly<Record<'program' | 'styles', string>> {
  const [, styles] = /<style>(.*?)<\/style>/s.exec(page) ?? [];
  const from = page.indexOf('<script>') + '<script>'.length;
  const call = page.lastIndexOf('YogaGraphiQL.renderYogaGraphiQL(');
  if (styles === undefined || call < from) throw new Error('GraphiQL has another form.');
  return { program: page.slice(from, call), styles };
}

function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text);
}
