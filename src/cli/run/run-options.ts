import type { Writable } from 'node:stream';
import type { Config } from '../../definitions/settings/config.ts';
import type { CallOptions } from '../call/call-options.ts';
import type { OutputFormat } from '../output/output-formats.ts';

export interface RunOptions extends CallOptions {
  readonly format: OutputFormat;
  /** The same as the format `json`. */
  readonly json?: boolean;
  readonly now?: string;
  readonly engine?: Config['engine'];
  readonly server?: string;
  readonly key?: string;
  readonly quiet?: boolean;
}

export interface RunEnvironment {
  readonly stdout: Writable & { readonly isTTY?: boolean; readonly columns?: number };
  readonly err: (text: string) => void;
}
