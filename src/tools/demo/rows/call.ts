import type { MadeUpRow, MadeUpValue } from '../../made-up-rows/making/made-up-store.ts';
import type { Random } from '../../made-up-rows/making/random.ts';
import type { Project } from '../vocabulary/projects.ts';
import type { Visitor } from '../vocabulary/visitors.ts';

/** A visitor's call of a project. The called area determines the resulting rows. */
export interface Scene {
  readonly random: Random;
  readonly project: Project;
  readonly visitor: Visitor;
  /** When the visitor receives the response, in microseconds since the epoch. */
  readonly at: number;
  /** The earliest permitted timestamp of a row, in microseconds since the epoch. */
  readonly notBefore: number;
}

/** A request and its response. */
export interface Call {
  readonly method: string;
  readonly path: string;
  /** Including its question mark, or empty. */
  readonly search: string;
  readonly status: number;
  /** How long the service behind the edge took, in milliseconds. */
  readonly millis: number;
  /** The size of the response. */
  readonly bytes: number;
  readonly contentType: string;
  readonly errorCode: string | null;
  readonly role: 'anon' | 'authenticated' | 'service_role';
  /** The edge network's id of the request, which other services log as well. */
  readonly ray: string;
}

/** The rows that a call to one area of a project's API produces, in any order. */
export type Area = (scene: Scene) => readonly DemoRow[];

export function newRay({ random, visitor }: Scene): string {
  return `${random.hex(16)}-${visitor.place.colo}`;
}

/** The visitor's role, by their client: programs without a user act for the project itself. */
export function roleOf({ random, visitor }: Scene): Call['role'] {
  if (!visitor.client.interactive) return 'service_role';
  return random.chance(0.6) ? 'authenticated' : 'anon';
}

/** An instant some milliseconds before the response: services log before the edge does. */
export function before({ at, notBefore }: Scene, millis: number): number {
  return Math.max(notBefore, at - Math.round(millis * 1000));
}

export function hostOf(project: Project): string {
  return `${project.ref}.example.net`;
}

/** The sources that the demo has rows for: all included ones. */
export const demoSources = [
  'postgres_logs',
  'pgbouncer_logs',
  'postgrest_logs',
  'auth_logs',
  'storage_logs',
  'realtime_logs',
  'function_edge_logs',
  'function_logs',
  'edge_logs',
] as const;

export type DemoSource = (typeof demoSources)[number];

/** A row in the form of the source's schema. An absent field is NULL. */
interface JsonRow {
  readonly id: string;
  readonly timestamp: string;
  readonly event_message: string;
  readonly [column: string]: MadeUpValue;
}

/** A made-up row of an included source. */
export interface DemoRow extends MadeUpRow {
  readonly source: DemoSource;
  readonly row: JsonRow;
}
