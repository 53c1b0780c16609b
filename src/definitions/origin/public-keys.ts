import { createPublicKey, type KeyObject } from 'node:crypto';

/**
 * Reads ENDPOINTS_PUBLIC_KEY: Ed25519 keys in PEM, or what is between the lines of PEM, separated by commas.
 *
 * @throws Error saying what is expected
 */
export function parsePublicKeys(text: string): readonly KeyObject[] {
  return text.split(',').map((written) => {
    const base64 = written.replace(/-----[A-Z ]+-----/g, '').replace(/\s/g, '');
    try {
      const key = createPublicKey({ key: Buffer.from(base64, 'base64'), format: 'der', type: 'spki' });
      if (key.asymmetricKeyType === 'ed25519') return key;
    } catch {
      // What it is instead says nothing that helps.
    }
    throw new Error('expected public keys of Ed25519, as endpoint-gateway pack --sign prints them');
  });
}
