/** A gateway that is ready. */
export interface ReadyGateway {
  readonly url: string;
  readonly key: string;
  /** Whether it is one for this run, which the console takes from its address. */
  readonly keyIsRandom: boolean;
  /** Whether browsers get the console at the URL, and GraphiQL. */
  readonly console: boolean;
  readonly graphiql: boolean;
}

/** The first lines that are printed when it is ready: the address, the key, and the pages for a browser. */
export function whereItIs({ url, key, keyIsRandom, console, graphiql }: ReadyGateway): string {
  const address = keyIsRandom ? consoleAddress(url, key) : url;
  const pages = [
    ...(console ? [`Open the console in a browser to look around: ${address}`] : []),
    ...(graphiql ? [`GraphiQL with ready-to-run examples: ${url}/graphql`] : []),
  ];
  return [`Ready at ${url}, with the key ${key}`, ...pages].map((line) => `${line}\n`).join('');
}

/** The address of the console with a key in its fragment, which the page takes and browsers never send. */
function consoleAddress(url: string, key: string): string {
  return `${url}/#key=${encodeURIComponent(key)}`;
}
