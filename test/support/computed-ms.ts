/** Milliseconds that this thread has computed: unlike the time that passes, they do not grow when the machine is busy. */
export function computedMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
