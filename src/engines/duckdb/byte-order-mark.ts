import accessors from '@duckdb/node-api/lib/vectors/dataAccessors.js';

/**
 * Lets texts that begin with U+FEFF keep it: the decoder that the client library reads every text with takes it
 * for a byte order mark and drops it. The library has no setting for that, so its decoder is replaced.
 */
export function keepByteOrderMarks(): void {
  Object.assign(accessors, { textDecoder: new TextDecoder('utf-8', { ignoreBOM: true }) });
}
