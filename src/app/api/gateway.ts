import type { IncomingMessage, ServerResponse } from 'node:http';
import type { SettingName } from './setting-name.ts';

/** What a gateway logs besides a message. */
export type LogFields = Readonly<Record<string, string | number | boolean>>;

/** Where a gateway tells what happened. `console` and most loggers can be used as one. */
export interface Log {
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
}

/** Settings by their names in docs/settings.md. Values are those of environment variables. */
export type Settings = { readonly [Name in SettingName]?: string | number | boolean };

export interface GatewayOptions {
  /** The folder of the endpoint files. Defaults to that of `ENDPOINTS_DIR`. */
  readonly endpointsDir?: string;
  /** The folder of the source schemas. Defaults to that of `SOURCES_DIR`. */
  readonly sourcesDir?: string;
  /** The folder of the embedded engine's store. Defaults to that of `DATA_DIR`. One gateway at a time can use it. */
  readonly dataDir?: string;
  /** All other settings. The environment of the process is not read. */
  readonly settings?: Settings;
  /** Defaults to warnings and errors, as lines on standard error. */
  readonly log?: Log;
}

/** A gateway within another server. */
export interface Gateway {
  /**
   * Answers a request, as the listener of `node:http` does. Its paths begin at `/`: they are those of a gateway of its own. Requests
   * before the gateway is ready wait. If it can't start, and after it is closed, they get 503.
   */
  readonly handler: (request: IncomingMessage, response: ServerResponse) => void;
  /** The key with every permission: `API_KEY`, or one made for this run. */
  readonly key: string;
  /**
   * Resolves when requests are answered. Rejects if the gateway can't start: with errors in files of endpoints or sources, or if
   * another process uses the store.
   */
  readonly ready: Promise<void>;
  /** Waits for requests in progress, for at most `SHUTDOWN_TIMEOUT_MS`, then ends all that was started. */
  close(): Promise<void>;
}
