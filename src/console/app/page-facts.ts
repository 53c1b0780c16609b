/** What the gateway has written into the page. */
interface PageFacts {
  /** The path of GraphiQL, if it is served. */
  readonly graphiql: string | undefined;
  /** Whether the page takes a key from its address, as `demo` and `dev` print it. */
  readonly keyInAddress: boolean;
}

export function readPageFacts(page: Document): PageFacts {
  const read = (name: string) =>
    page.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content || undefined;
  return { graphiql: read('graphiql'), keyInAddress: read('key-in-address') !== undefined };
}
