/** How much is logged: from everything to nothing. */
export const logLevels = ['debug', 'info', 'warn', 'error', 'silent'] as const;

export type LogLevel = (typeof logLevels)[number];

/** Whether what has a severity is logged at a level. */
export function isLogged(severity: Exclude<LogLevel, 'silent'>, level: LogLevel): boolean {
  return logLevels.indexOf(severity) >= logLevels.indexOf(level);
}
