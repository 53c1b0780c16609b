import type { Account } from '../../../base/fairness/account.ts';
import type { Rate } from '../../../base/forms/rate.ts';
import type { QueryClass } from '../../../definitions/classes/query-class.ts';
import type { WritableSources } from '../../../definitions/sources/writable-sources.ts';
import type { Allowance } from './allowance.ts';
import type { Spender } from './spender.ts';

/** The permissions of keys: running endpoints, adding rows to sources, managing the gateway, querying all sources. */
export const scopes = ['query', 'write', 'admin', 'tables'] as const;

export type Scope = (typeof scopes)[number];

export const everyScope: ReadonlySet<Scope> = new Set(scopes);

/** The restrictions of a key. Absent means unrestricted. */
export interface Bounds {
  /** Endpoints that may be called, by name or id. */
  readonly endpoints?: ReadonlySet<string>;
  /** Allowed values of the parameter `project`. */
  readonly projects?: ReadonlySet<string>;
  /** Required values of other parameters, by name. Each replaces an absent value. */
  readonly pins?: ReadonlyMap<string, string>;
  /** The sources whose rows may be added and deleted, by name. Reading is not restricted by it. */
  readonly sources?: ReadonlySet<string>;
}

/** An authenticated caller. */
export interface Caller extends Bounds {
  /** The name of the key, for people; never the key itself. */
  readonly name: string;
  readonly scopes: ReadonlySet<Scope>;
  /** The id of a stored key, unique whatever its name. Not secret. */
  readonly id?: string;
  /** Whether rows are always redacted. */
  readonly redact: boolean;
  /** When the key or token expires, in milliseconds since the epoch. */
  readonly expires?: number;
  /** Whether uploads may be arbitrarily slow. */
  readonly mayPause?: boolean;
  /** The rate limit of the key. */
  readonly rate?: Rate;
  /** What the key may use in periods of time. */
  readonly allowances?: readonly Allowance[];
  /** The most bytes that a query may read. */
  readonly maxScanBytes?: number;
  /** The class of its queries, unless their endpoint has a less urgent one. */
  readonly class?: QueryClass;
  /** Whether it has a token instead of a key. */
  readonly isToken?: true;
  /** For the bearer of a token, the stored key that it was issued under. Its rate and allowances cover all its tokens together. */
  readonly issuer?: Caller;
}

/** Whether the key sees only some of the data. */
export function isBounded({ endpoints, projects, pins }: Bounds): boolean {
  return endpoints !== undefined || projects !== undefined || pins !== undefined;
}

/** Whether the key is restricted in what it sees, or where it writes. */
export function isRestricted(caller: Bounds): boolean {
  return isBounded(caller) || caller.sources !== undefined;
}

/** Whether the caller may query all sources, which operators may export, too. A restricted key never may. */
export function mayQuerySources(caller: Bounds & { readonly scopes?: ReadonlySet<Scope> }): boolean {
  const { scopes } = caller;
  return !isRestricted(caller) && (scopes?.has('tables') === true || scopes?.has('admin') === true);
}

/** The sources whose rows a caller may change. */
export function writableBy({ sources }: Bounds): WritableSources {
  return sources === undefined ? 'all' : [...sources];
}

const partitions = new WeakMap<Caller, string>();
let lastPartition = 0;

/**
 * The name of the part of the cache that a caller uses. Unrestricted keys share one, keys that may query all sources share another, and
 * each restricted caller has its own: it never gets a response beyond its restrictions. It contains neither line breaks nor spaces.
 */
export function cachePartition(caller: Caller): string {
  if (!isBounded(caller)) return mayQuerySources(caller) ? 'sources' : '';
  const known = partitions.get(caller);
  if (known !== undefined) return known;
  lastPartition += 1;
  const partition = `bounded-${lastPartition}`;
  partitions.set(caller, partition);
  return partition;
}

/** The account of a caller. Callers of the same key have equal accounts. */
export function accountOf({
  id,
  name,
  isToken,
  issuer,
}: Pick<Caller, 'id' | 'name' | 'isToken' | 'issuer'>): Account {
  const own = id ?? name;
  if (isToken === undefined) return { key: `key ${own}`, subject: '' };
  // Without a stored key of its issuer, a token was signed by the holder of the gateway's own secret or key set.
  return { key: issuer === undefined ? 'tokens' : `key ${issuer.id ?? issuer.name}`, subject: own };
}

/** The payer of a call: its runs use these allowances, this share, this class and these labels, which don't change the answer. */
export interface Payer {
  /** The name of the caller's key. */
  readonly key: string;
  /** The account that waits for its turn, and whose memory the call uses. */
  readonly account: Account;
  /** What its calls count for. */
  readonly spenders: readonly Spender[];
  /** The most bytes that a query with the key may read. */
  readonly maxScanBytes?: number;
  /** For a token, the key that it was issued under. */
  readonly issuer?: Pick<Payer, 'key' | 'maxScanBytes'>;
  /** The most bytes that the query of this call may read. */
  readonly callScanBytes?: number;
  /** The class of the key. */
  readonly class?: QueryClass;
  /** The most urgent class that the request asks for. */
  readonly atMost?: QueryClass;
  /** Labels for a job, as sent: `k=v,k2=v2`. */
  readonly labels?: string;
  /** The reservation for a job, as sent. */
  readonly reservation?: string;
}
