import type { DemoRow } from './demo-row.ts';
import type { Random } from './random.ts';
import type { Project } from './vocabulary/projects.ts';
import type { Visitor } from './vocabulary/visitors.ts';

/** Someone turns to a project. Which rows that leaves behind is decided by the area that they turn to. */
export interface Scene {
  readonly random: Random;
  readonly project: Project;
  readonly visitor: Visitor;
  /** When the visitor has their answer, in microseconds since the epoch. */
  readonly at: number;
  /** No row may be older than this, in microseconds since the epoch. */
  readonly notBefore: number;
}

/** A request and its answer. */
export interface Call {
  readonly method: string;
  readonly path: string;
  /** With its question mark, or empty. */
  readonly search: string;
  readonly status: number;
  /** How long the service behind the edge took, in milliseconds. */
  readonly millis: number;
  /** The size of the answer. */
  readonly bytes: number;
  readonly contentType: string;
  readonly errorCode: string | null;
  readonly role: 'anon' | 'authenticated' | 'service_role';
  /** The edge network's id of the request, which other services log, too. */
  readonly ray: string;
}

/** The rows that a visit to one area of a project's API leaves behind, in any order. */
export type Area = (scene: Scene) => readonly DemoRow[];

export function newRay({ random, visitor }: Scene): string {
  return `${random.hex(16)}-${visitor.place.colo}`;
}

/** What the visitor may do, going by their client: programs without a person act for the project itself. */
export function roleOf({ random, visitor }: Scene): Call['role'] {
  if (!visitor.client.interactive) return 'service_role';
  return random.chance(0.6) ? 'authenticated' : 'anon';
}

/** An instant some milliseconds before the answer: services log what they did before the edge does. */
export function before({ at, notBefore }: Scene, millis: number): number {
  return Math.max(notBefore, at - Math.round(millis * 1000));
}

export function hostOf(project: Project): string {
  return `${project.ref}.example.net`;
}
