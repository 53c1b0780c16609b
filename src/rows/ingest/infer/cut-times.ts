/** What is said of a file with times of nanoseconds. */
export const cutTimes = 'some times are finer than a microsecond; import cuts them to microseconds';
