/**
 * Whether a path is `/dev/null`, or a name that shells and systems give to open pipes and terminals, as in
 * `--against <(…)` and `--output /dev/stdout`. The other end of such a pipe is open, so that nothing waits for it in vain.
 */
export function isSafeDevice(path: string): boolean {
  return /^(?:\/dev\/(?:null|stdin|stdout|stderr|fd\/\d+)|\/proc\/self\/fd\/\d+)$/.test(path);
}
