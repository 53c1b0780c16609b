import accessors from '@duckdb/node-api/lib/vectors/dataAccessors.js';

/**
 * Preserves a leading U+FEFF in texts: the client library's text decoder takes it for a byte order mark and drops it.
 * The library has no setting for that, so its decoder is replaced, for all instances.
 */
export function keepByteOrderMarks(): void {
  Object.assign(accessors, { textDecoder: new TextDecoder('utf-8', { ignoreBOM: true }) });
}
