/** Thrown for a row that BigQuery rejects: its error, with the reason `invalid`. */
export class RowError extends Error {
  override readonly name = 'RowError';
  /** The path of the field: `metadata[0].request.method`. */
  readonly location: string;

  constructor(location: string, message: string) {
    super(message);
    this.location = location;
  }
}
