/** What the gateway has written into the page. */
interface PageFacts {
  /** The path of GraphiQL, if it is served. */
  readonly graphiql: string | undefined;
  /** Where the demo offers a key, if it does. */
  readonly demoKey: string | undefined;
}

export function readPageFacts(page: Document): PageFacts {
  const read = (name: string) =>
    page.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content || undefined;
  return { graphiql: read('graphiql'), demoKey: read('demo-key') };
}
