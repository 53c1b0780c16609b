/** What Google's own variables say. They are not settings of the gateway: Google's client reads them by itself. */
export interface GoogleEnvironment {
  /** Whether the environment says that there is a metadata server to ask for credentials. */
  readonly isMetadataServerGiven: boolean;
}

/** Source of the names: gcp-metadata, as it reads them itself. */
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
