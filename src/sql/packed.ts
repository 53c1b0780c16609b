import { hash } from 'node:crypto';
import { deserialize, serialize } from 'node:v8';

/** Data that many messages to another thread bring along. It is packed once, and unpacked there only where it isn't known yet. */
export interface Packed<Content> {
  /** A digest: what has the same one is the same. */
  readonly id: string;
  readonly bytes: Uint8Array;
  /** Never there: it tells the type. */
  readonly content?: Content;
}

export function packed<Content>(content: Content): Packed<Content> {
  const bytes = serialize(content);
  return { id: hash('sha256', bytes, 'base64url'), bytes };
}

export function unpacked<Content>({ bytes }: Packed<Content>): Content {
  return deserialize(bytes);
}
