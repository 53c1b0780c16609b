/** A file of a project. */
export interface ProjectFile {
  /** Relative to the project's folder, with slashes. */
  readonly path: string;
  readonly text: string;
}
