/**
 * Security headers of every response: responses are data, never pages or parts of pages. HSTS is left to the proxy that
 * terminates TLS.
 */
export const securityHeaders = {
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Referrer-Policy': 'no-referrer',
};
