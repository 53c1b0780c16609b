import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';

/** A certificate that only a test's clients trust. */
export interface Certificate {
  readonly certificateFile: string;
  readonly keyFile: string;
  readonly pem: string;
}

/** Makes a certificate for `localhost` in a folder, by openssl. */
export async function makeCertificate(folder: string): Promise<Certificate> {
  const [certificateFile, keyFile] = [path.join(folder, 'proxy.pem'), path.join(folder, 'proxy.key')];
  await promisify(execFile)('openssl', [
    ...['req', '-x509', '-nodes', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-days', '2'],
    ...['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'],
    ...['-out', certificateFile, '-keyout', keyFile],
  ]);
  return { certificateFile, keyFile, pem: await readFile(certificateFile, 'utf8') };
}
