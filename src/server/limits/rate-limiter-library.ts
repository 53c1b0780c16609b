/** The parts of the library that are used. This module is loaded late: the library takes a while, and most gateways don't need it. */
export { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
