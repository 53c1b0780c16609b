/** The delimiters of an error message raised by SQL. */
export const raisedPrefix = 'BQERR:';
export const raisedSuffix = ':BQEND';
/** The prefix of a transient error. */
export const transientPrefix = 'BQNOW:';
