/** The forms in which rows are printed. All but `table` are those of REST. */
export const outputFormats = ['table', 'json', 'csv', 'ndjson'] as const;

export type OutputFormat = (typeof outputFormats)[number];
