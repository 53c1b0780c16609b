/** What stands before and after the message of an error that SQL raises. */
export const raisedPrefix = 'BQERR:';
export const raisedSuffix = ':BQEND';
/** What stands before one that says something of the moment, not of the query. */
export const transientPrefix = 'BQNOW:';
