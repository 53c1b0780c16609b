/** The Redis and the namespace that replicas share. */
export interface RedisPlace {
  /** As in `REDIS_URL`. */
  readonly url: string;
  /** The first part of every name. */
  readonly namespace: string;
}

/** A server by its host, an IPv6 address in brackets, and its port. */
export interface RedisNode {
  readonly host: string;
  readonly port: number;
}

/** A URL of `REDIS_URL` that names more than one server. */
interface SeveralServers {
  readonly nodes: readonly RedisNode[];
  /** The URL of a server that has the data. */
  readonly urlOf: (node: RedisNode) => string;
}

/** A URL of `REDIS_URL`, as read. */
export type RedisAddress =
  | { readonly kind: 'server'; readonly url: string }
  | (SeveralServers & { readonly kind: 'cluster' })
  | (SeveralServers & {
      readonly kind: 'sentinel';
      /** The name by which sentinels know the primary. */
      readonly group: string;
      readonly urlOfSentinel: (node: RedisNode) => string;
    });

/** What an invalid URL should have been. */
export const redisUrlForms =
  'expected a URL such as redis://user:password@host:6379/0, rediss://host, unix:///path, redis+sentinel://user:password@host:26379,host/group/0 or redis+cluster://user:password@host:6379,host, the password percent-encoded';

const one = /^(?:unix:.|rediss?:\/\/[^/?#]+(?:\/\d*)?$)/;
const several =
  /^(rediss?)\+(sentinel|cluster):\/\/(?:([^@/?#]*)@)?([^@/?#]+)(?:\/([^/?#]*)(?:\/(\d*))?)?(?:\?([^#]*))?$/;
const node = /^(\[[\da-f:.]+\]|[^:[\]]+)(?::(\d{1,5}))?$/i;

/**
 * Reads a URL of `REDIS_URL`. Undefined if it is invalid, such as one whose password contains a `/`, `#` or `%` that is not
 * percent-encoded.
 */
export function readRedisUrl(url: string): RedisAddress | undefined {
  if (one.test(url)) return isUrl(url) ? { kind: 'server', url } : undefined;
  const [, scheme, kind, login, hosts = '', group = '', database = '', query] = several.exec(url) ?? [];
  const nodes = hosts.split(',').map((text) => readNode(text, kind === 'sentinel' ? 26379 : 6379));
  const urlOf = ({ host, port }: RedisNode, as = login, path = database) =>
    `${scheme}://${as === undefined ? '' : `${as}@`}${host}:${port}/${path}`;
  const areValid = (given: readonly (RedisNode | undefined)[]): given is RedisNode[] =>
    given.every((each) => each !== undefined && isUrl(urlOf(each)));
  if (scheme === undefined || !areValid(nodes)) return undefined;
  if (kind === 'cluster') {
    const isPlain = group === '' && database === '' && query === undefined;
    return isPlain ? { kind, nodes, urlOf } : undefined;
  }
  const sentinelLogin = readLogin(query);
  if (!isEncoded(group) || group === '' || sentinelLogin === null) return undefined;
  const urlOfSentinel = (each: RedisNode) => urlOf(each, sentinelLogin, '');
  return { kind: 'sentinel', nodes, urlOf, urlOfSentinel, group: decodeURIComponent(group) };
}

/** The place of a gateway's settings, if it has one. */
export function redisPlace({
  redisUrl: url,
  cacheNamespace,
}: {
  readonly redisUrl?: string | undefined;
  readonly cacheNamespace: string;
}): RedisPlace | undefined {
  if (url === undefined) return undefined;
  // In a cluster, names with the same text in braces are on the same server, so that a script can use several of them.
  const isInCluster = readRedisUrl(url)?.kind === 'cluster';
  return { url, namespace: isInCluster ? `{${cacheNamespace}}` : cacheNamespace };
}

function readNode(text: string, defaultPort: number): RedisNode | undefined {
  const [, host, port = String(defaultPort)] = node.exec(text) ?? [];
  return host === undefined ? undefined : { host, port: Number(port) };
}

/** The login of sentinels; undefined for none, null if the query has something else. */
function readLogin(query: string | undefined): string | undefined | null {
  const given = new URLSearchParams(query);
  const [user = '', password] = ['sentinel_user', 'sentinel_password'].map(
    (key) => given.get(key) ?? undefined,
  );
  if ([...given.keys()].some((key) => !['sentinel_user', 'sentinel_password'].includes(key))) return null;
  if (password === undefined) return user === '' ? undefined : null;
  return `${encodeURIComponent(user)}:${encodeURIComponent(password)}`;
}

function isUrl(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { username, password } = new URL(url);
  return isEncoded(`${username}${password}`);
}

function isEncoded(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}
