/** CORS headers of every response of the endpoint routes. Source: contract section (a). */
export const corsHeaders = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Allow-Credentials': 'true',
  'Access-Control-Expose-Headers':
    'X-Request-Id, X-Result-Truncated, X-Ignored-Parameters, Content-Disposition, Retry-After, RateLimit, RateLimit-Policy, ETag, Age, Cache-Status',
};

/** CORS headers of preflight responses. */
export const preflightHeaders = {
  ...corsHeaders,
  'Access-Control-Allow-Methods': 'GET, POST, OPTIONS',
  'Access-Control-Allow-Headers': [
    'Authorization',
    'Content-Type',
    'Content-Length',
    'X-Requested-With',
    'X-API-Key',
    'LF-ENDPOINT-LABELS',
    'LF-ENDPOINT-REDACT-PII',
    'LF-ENDPOINT-BIGQUERY-RESERVATION',
  ].join(', '),
  'Access-Control-Max-Age': '1728000',
};
