import { hash } from 'node:crypto';

/** Where endpoints and sources are fetched from: what ENDPOINTS_FROM says. No field that `shown` and `id` are made of is secret. */
export type EndpointsOrigin = GitOrigin | ArchiveOrigin;

interface OriginBase {
  /** The setting without its secrets, for people. */
  readonly shown: string;
  /** Names the origin in the data folder: the same for the same text of the setting but for secrets. */
  readonly id: string;
  /** The user and the password in the URL, if it has them. */
  readonly user: string;
  readonly password: string;
}

export interface GitOrigin extends OriginBase {
  readonly kind: 'git';
  /** As git gets it: without `git+`, user and password. */
  readonly url: string;
  readonly protocol: 'https' | 'http' | 'file';
  /** A branch, a tag, a full name below `refs/`, or a whole commit. Undefined for the repository's default branch. */
  readonly ref: string | undefined;
  /** The folder within the repository that has `endpoints/` and `sources/`. Empty for all of it. */
  readonly folder: string;
}

export interface ArchiveOrigin extends OriginBase {
  readonly kind: 'archive';
  /** Without fragment, user and password. */
  readonly url: string;
  /** The digest that the tarball must have, in hexadecimal. */
  readonly sha256: string | undefined;
}

/** A name that git takes for nothing else: no option, no range, no pattern. https://git-scm.com/docs/git-check-ref-format */
const refForm = /^(?!.*(?:\.\.|@\{|\/\/|\.lock(?:\/|$)))[A-Za-z0-9_][A-Za-z0-9_.+@/-]*(?<![./])$/;
/** The longest start of a branch's name, in characters: git and the systems below it limit the whole name. */
const maxPrefix = 100;
const folderForm = /^(?!\.{1,2}(?:\/|$))[\w.-]+(?:\/(?!\.{1,2}(?:\/|$))[\w.-]+)*$/;
const loopback = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * Reads ENDPOINTS_FROM.
 *
 * @throws Error saying what is wrong, without the setting's text, which may have a password
 */
export function parseOrigin(text: string): EndpointsOrigin {
  const isGit = text.startsWith('git+');
  const url = URL.parse(isGit ? text.slice('git+'.length) : text);
  if (url === null || !['https:', 'http:', ...(isGit ? ['file:'] : [])].includes(url.protocol))
    throw new Error('expected git+https://<host>/<repository>#<ref>, or https:// and the place of a tarball');
  if (url.protocol === 'http:' && !loopback.has(url.hostname))
    throw new Error('http is for this machine only: expected https');
  return isGit ? gitOrigin(url) : archiveOrigin(url);
}

/**
 * Reads ENDPOINTS_PUSH_PREFIX: how the names of pushed branches begin.
 *
 * @throws Error saying what is expected
 */
export function parseBranchPrefix(text: string): string {
  const isStart = text.length <= maxPrefix && refForm.test(`${text}x`) && !text.includes('/.');
  if (isStart && !text.startsWith('refs/')) return text;
  throw new Error('expected how the names of branches begin, such as console/');
}

function gitOrigin(url: URL): GitOrigin {
  const ref = decoded(url.hash.slice(1)) || undefined;
  if (ref !== undefined && !refForm.test(ref))
    throw new Error('expected the name of a branch, a tag or a commit after #');
  const folder = url.searchParams.get('path') ?? '';
  if ([...url.searchParams.keys()].some((name) => name !== 'path'))
    throw new Error('expected no parameter but path, as in ?path=schema');
  if (folder !== '' && !folderForm.test(folder))
    throw new Error('path: expected a folder of the repository, as in ?path=schema');
  const plain = withoutSecrets(url);
  const within = folder === '' ? '' : `?path=${folder}`;
  const shown = `git+${plain}${within}${ref === undefined ? '' : `#${ref}`}`;
  const protocol = url.protocol === 'file:' ? 'file' : url.protocol === 'http:' ? 'http' : 'https';
  return { kind: 'git', url: plain, protocol, ref, folder, ...identity(url, shown) };
}

function archiveOrigin(url: URL): ArchiveOrigin {
  const [, sha256] = /^#sha256=([0-9a-f]{64})$/.exec(url.hash) ?? [];
  if (url.hash !== '' && sha256 === undefined)
    throw new Error('expected #sha256= and 64 hexadecimal digits in lower case after the URL');
  const plain = withoutSecrets(url);
  // What follows the path may be a signature of the store, as good as a password.
  const shown = `${plain}${url.search === '' ? '' : '?…'}${url.hash}`;
  return { kind: 'archive', url: `${plain}${url.search}`, sha256, ...identity(url, shown) };
}

function identity({ username, password }: URL, shown: string) {
  return {
    shown,
    id: hash('sha256', shown).slice(0, 16),
    user: decoded(username),
    password: decoded(password),
  };
}

function withoutSecrets({ protocol, host, pathname }: URL): string {
  return `${protocol}//${host}${pathname}`;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new Error('expected % to be followed by two hexadecimal digits');
  }
}
