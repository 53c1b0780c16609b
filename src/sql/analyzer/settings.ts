export interface AnalyzerSettings {
  /** Address space of the analyzer, in MiB. Without a limit, ten thousand cross joins took 13 GB (measured). */
  readonly memoryMb: number;
  /** Stack of each of its threads, in KiB. 8 MiB overflowed at 3,000 nested subqueries, 64 MiB did not (measured). */
  readonly stackKb: number;
  /** Timeout of one call, in milliseconds. The process is then killed: nothing else stops its work. */
  readonly timeoutMs: number;
}

export const defaultAnalyzerSettings: AnalyzerSettings = {
  memoryMb: 3000,
  stackKb: 65_536,
  timeoutMs: 10_000,
};

/** The analyzer's settings from the configuration. */
export function analyzerSettings({
  analyzerMemoryMb,
}: {
  readonly analyzerMemoryMb: number;
}): AnalyzerSettings {
  return { ...defaultAnalyzerSettings, memoryMb: analyzerMemoryMb };
}
