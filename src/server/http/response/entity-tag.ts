import { hash } from 'node:crypto';

/** Returns a strong entity tag, including quotes, which differs for different content. Source: RFC 9110, section 8.8.3. */
export function entityTag(kind: string, content: Buffer): string {
  const digest = hash('sha256', content, 'base64url');
  return `"${hash('sha256', `${kind} ${digest}`, 'base64url').slice(0, 22)}"`;
}

/** The tags of a list. Commas may be part of a tag. */
const tagPattern = /(?:W\/)?("[^"]*")/g;

/** Whether an `If-None-Match` header lists the tag or is `*`. Weak tags match strong ones. Source: RFC 9110, section 13.1.2. */
export function listsEntityTag(header: string, etag: string): boolean {
  if (header === etag) return true;
  if (!header.includes(etag)) return header.trim() === '*';
  return header.matchAll(tagPattern).some(([, tag]) => tag === etag);
}
