/** Google's own variables. They are not settings of the gateway: Google's client reads them itself. */
export interface GoogleEnvironment {
  /** Whether the environment names a metadata server that provides credentials. */
  readonly isMetadataServerGiven: boolean;
}

/** Reads Google's variables. Source of the names: the gcp-metadata package. */
export function readGoogleEnvironment(
  environment: Readonly<Record<string, string | undefined>>,
): GoogleEnvironment {
  const { GCE_METADATA_HOST, GCE_METADATA_IP, METADATA_SERVER_DETECTION } = environment;
  return {
    isMetadataServerGiven:
      Boolean(GCE_METADATA_HOST || GCE_METADATA_IP) ||
      METADATA_SERVER_DETECTION?.trim().toLowerCase() === 'assume-present',
  };
}
