import { statSync } from 'node:fs';
import { megabytes } from '../../base/forms/bytes.ts';
import type { Environment } from './secret-files.ts';

/** Documented in docs/settings.md. Others, such as the one that lets credentials name a program to run, are none of a file's. */
const variables = [
  'GOOGLE_APPLICATION_CREDENTIALS',
  'GOOGLE_CLOUD_QUOTA_PROJECT',
  'GCE_METADATA_HOST',
  'GCE_METADATA_IP',
  'METADATA_SERVER_DETECTION',
];

/** Whether a variable configures Google's clients, and can be set in a file. */
export function isGoogleVariable(name: string): boolean {
  return variables.includes(name);
}

const maxCredentialsBytes = 1_000_000;

/** What is wrong with the file of Google's credentials. Google's client reads it to its end, and finds everything else. */
export function credentialsProblem({
  GOOGLE_APPLICATION_CREDENTIALS: file,
}: Environment): string | undefined {
  if (!file || sizeOf(file) <= maxCredentialsBytes) return undefined;
  return `GOOGLE_APPLICATION_CREDENTIALS: ${file} is larger than ${megabytes(maxCredentialsBytes)}`;
}

function sizeOf(file: string): number {
  try {
    return statSync(file).size;
  } catch {
    return 0;
  }
}

/** Google's own variables. They are not settings of the gateway: Google's client reads them itself. */
export interface GoogleEnvironment {
  /** Whether the environment names a metadata server that provides credentials. */
  readonly isMetadataServerGiven: boolean;
}

/** Reads Google's variables. Source of the names: the gcp-metadata package. */
export function readGoogleEnvironment(environment: Environment): GoogleEnvironment {
  const { GCE_METADATA_HOST, GCE_METADATA_IP, METADATA_SERVER_DETECTION } = environment;
  return {
    isMetadataServerGiven:
      Boolean(GCE_METADATA_HOST || GCE_METADATA_IP) ||
      METADATA_SERVER_DETECTION?.trim().toLowerCase() === 'assume-present',
  };
}
