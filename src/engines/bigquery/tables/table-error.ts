import type { ApiError } from '../api/api-error.ts';

/** Thrown when a table or dataset can't be read: a message for the operator, with BigQuery's names. */
export class TableError extends Error {
  override readonly name = 'TableError';

  /** @param subject `project.dataset` or `project.dataset.table` */
  static of(subject: string, error: ApiError): TableError {
    const { status, proto } = error;
    if (status === 404) return new TableError(`there is no ${subject} (${proto.message})`, { cause: error });
    if (status === 401 || status === 403) {
      const needed = 'the role roles/bigquery.metadataViewer or roles/bigquery.dataViewer on it is needed';
      return new TableError(`no access to ${subject}: ${needed} (${proto.message})`, { cause: error });
    }
    return new TableError(`${subject} can't be looked at: ${proto.message}`, { cause: error });
  }
}
