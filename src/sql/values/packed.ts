import { hash } from 'node:crypto';
import { deserialize, serialize } from 'node:v8';

/**
 * Data that is sent to another thread in many messages. It is serialised once, and deserialised there only if the id is
 * new.
 */
export interface Packed<Content> {
  /** A digest: equal ids mean equal content. */
  readonly id: string;
  readonly bytes: Uint8Array;
  /** Never set. It carries the type. */
  readonly content?: Content;
}

export function packed<Content>(content: Content): Packed<Content> {
  const bytes = serialize(content);
  return { id: hash('sha256', bytes, 'base64url'), bytes };
}

export function unpacked<Content>({ bytes }: Packed<Content>): Content {
  return deserialize(bytes);
}
