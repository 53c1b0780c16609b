import { hash, type KeyObject, verify } from 'node:crypto';
import type { ArchiveOrigin } from '../../../definitions/origin/endpoints-origin.ts';
import { OriginError } from '../tree/origin-error.ts';
import { readTar } from '../tree/read-tar.ts';
import type { Remote } from '../tree/remote.ts';
import { treeLimits } from '../tree/tree-file.ts';
import { download } from './download.ts';

/** Ends the names of signatures, which are beside what they sign. */
export const signatureSuffix = '.sig';

interface ArchiveSecrets {
  readonly token: string | undefined;
  /** One of these must have signed the tarball. Undefined if its digest is enough. */
  readonly keys: readonly KeyObject[] | undefined;
}

/** A tarball at a URL. It is read only after its digest and its signature have been verified. */
export function archiveRemote(origin: ArchiveOrigin, { token, keys }: ArchiveSecrets): Remote {
  const authorization = authorizationOf(origin, token);
  const { sha256: pinned } = origin;
  let seen: { readonly version: string; readonly etag: string | undefined } | undefined;
  return {
    async latest(known, signal) {
      if (pinned !== undefined && known === `sha256:${pinned}`) return undefined;
      const etag = known !== undefined && seen?.version === known ? seen.etag : undefined;
      const request = { url: origin.url, authorization, maxBytes: treeLimits.bytes, signal };
      const downloaded = await download({ ...request, etag });
      if (downloaded === undefined) return undefined;
      const { bytes } = downloaded;
      const digest = hash('sha256', bytes);
      const version = `sha256:${digest}`;
      if (pinned !== undefined && digest !== pinned)
        throw unusable(`${kindOf(bytes)} has the digest ${version}, not sha256:${pinned}`);
      if (version !== known && keys !== undefined) {
        const signatureUrl = new URL(origin.url);
        signatureUrl.pathname += signatureSuffix;
        const signature = await download({ ...request, url: signatureUrl.href, maxBytes: 10_000 }).catch(
          (error: OriginError) => {
            throw new OriginError(error.failure, `its signature (${signatureSuffix}): ${error.message}`);
          },
        );
        requireSigned(bytes, signature?.bytes ?? Buffer.of(), keys);
      }
      seen = { version, etag: downloaded.etag };
      if (version === known) return undefined;
      return { version, files: await readTar(bytes) };
    },
  };
}

/** @throws OriginError if none of the keys has signed these bytes */
function requireSigned(bytes: Buffer, written: Buffer, keys: readonly KeyObject[]): void {
  const signature = Buffer.from(written.toString('latin1').trim(), 'base64');
  if (signature.length === 64 && keys.some((key) => verify(null, bytes, key, signature))) return;
  throw unusable(
    `${kindOf(bytes)} is not signed by ENDPOINTS_PUBLIC_KEY, or its signature is of another version`,
  );
}

/** A page of a server, such as one to log in, often comes instead of a file. */
function kindOf(bytes: Buffer): string {
  const isPage = /^\s*<(?:!doctype|html)/i.test(bytes.subarray(0, 200).toString('latin1'));
  return isPage ? 'an HTML page, which the server sends instead of a tarball,' : 'the tarball';
}

function authorizationOf({ user, password }: ArchiveOrigin, token: string | undefined): string | undefined {
  if (user !== '' || password !== '')
    return `Basic ${Buffer.from(`${user}:${password || (token ?? '')}`).toString('base64')}`;
  return token && `Bearer ${token}`;
}

function unusable(message: string): OriginError {
  return new OriginError('unusable', message);
}
