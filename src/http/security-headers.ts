/**
 * What every answer tells browsers: answers are data, and neither pages nor parts of pages. That a site is to be called by
 * TLS only (HSTS) is for the proxy to say that speaks it.
 */
export const securityHeaders = {
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Referrer-Policy': 'no-referrer',
};
