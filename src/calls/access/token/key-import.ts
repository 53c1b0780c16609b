/** The part of the library that reading settings uses. This module is loaded late: the library takes 20 ms of a start. */
export { importJWK } from 'jose';
