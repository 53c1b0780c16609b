function header(description: string, type = 'string') {
  return { description, schema: { type } };
}

/** The headers of a result. */
export const resultHeaders = {
  'X-Request-Id': header("The request's id, which the gateway's log contains."),
  'X-Result-Truncated': header('`true` if the query has more rows than the response.'),
  'X-Ignored-Parameters': header("Parameters of the request that the endpoint doesn't have."),
  ETag: header('The tag of the response, for `If-None-Match`.'),
  Age: header('Seconds since the rows were made.', 'integer'),
  'Server-Timing': header('Milliseconds of the engine (`engine`), if it ran.'),
  'X-Bytes-Processed': header('Bytes that the query read, if the engine tells.', 'integer'),
  'X-Bytes-Billed': header('Bytes that BigQuery billed.', 'integer'),
  'Cache-Control': header('How many seconds the rows stay fresh.'),
};
