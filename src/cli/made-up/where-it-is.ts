/** A gateway that is ready. */
export interface ReadyGateway {
  readonly url: string;
  readonly key: string;
  /** Whether browsers get the console at the URL, and GraphiQL. */
  readonly console: boolean;
  readonly graphiql: boolean;
}

/** The first lines that are printed when it is ready: the address, the key, and the pages for a browser. */
export function whereItIs({ url, key, console, graphiql }: ReadyGateway): string {
  const pages = [
    ...(console ? ['Open this address in a browser to look around: it is the console.'] : []),
    ...(graphiql ? [`GraphiQL with ready-to-run examples: ${url}/graphql`] : []),
  ];
  return [`Ready at ${url}, with the key ${key}`, ...pages].map((line) => `${line}\n`).join('');
}
