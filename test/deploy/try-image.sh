#!/usr/bin/env bash
# Tries an image that buildah has built, on a machine without Docker, as root: with a read-only root file system, tmpfs for /tmp, a
# volume, the user of the image, no capabilities, and the gateway as process 1. Checks health, a row that goes in and
# comes out, what it writes, and that SIGTERM ends it.
#   buildah bud --isolation chroot --format docker --tag endpoint-gateway . && test/deploy/try-image.sh endpoint-gateway
set -euo pipefail
image=${1:?name of an image}
container=$(buildah from --pull-never "$image")
root=$(buildah mount "$container")
work=$(mktemp --directory)
export port=4793
finish() {
  [ -z "${gateway:-}" ] || kill -KILL "$gateway" 2> /dev/null || true
  buildah rm "$container" > /dev/null
  rm -rf "$work"
}
trap finish EXIT

mkdir "$work/data" && chown 10001:10001 "$work/data" && chmod 700 "$work/data"
environment=(env -i HOME=/ API_KEY=a-key)
while IFS= read -r pair; do environment+=("$pair"); done < <(buildah inspect --format '{{range .OCIv1.Config.Env}}{{println .}}{{end}}' "$container" | grep .)
environment+=(PORT=$port)
as_user=(setpriv --reuid 10001 --regid 10001 --clear-groups --no-new-privs --bounding-set=-all --inh-caps=-all)

# The command of the image, in namespaces of its own. Its process is 1 there.
unshare --mount --pid --fork --kill-child -- bash -euc '
  root=$1 data=$2; shift 2
  mount --bind "$root" "$root" && mount -o remount,bind,ro "$root"
  mount -t proc proc "$root/proc" && mount --rbind /dev "$root/dev"
  mount -t tmpfs -o noexec,nosuid,nodev,mode=1777 tmpfs "$root/tmp"
  mount --bind "$data" "$root/data"
  cd "$root" && exec chroot "$root" "$@"
' - "$root" "$work/data" "${as_user[@]}" "${environment[@]}" bash -c 'cd /project && exec endpoint-gateway serve' > "$work/log" 2>&1 &
unshared=$!

healthy() { nsenter --target "$gateway" --mount --pid --root -- "${as_user[@]}" "${environment[@]}" endpoint-gateway health; }
for _ in $(seq 120); do
  gateway=$(pgrep --parent $unshared || true)
  [ -n "$gateway" ] && healthy > /dev/null 2>&1 && break
  sleep 0.5
done
healthy
nsenter --target "$gateway" --mount --pid --root -- "${as_user[@]}" sh -c 'touch /project/x 2> /dev/null && exit 1; id'
ask() { curl --silent --fail --header 'X-API-KEY: a-key' "$@"; }
echo '{"id":"1","timestamp":"2026-11-27T21:00:00Z","project":"abc"}' |
  ask --data-binary @- "http://127.0.0.1:$port/api/sources/auth_logs/rows"
ask --get "http://127.0.0.1:$port/api/endpoints/query/logs.all?project=abc" \
  --data-urlencode "sql=SELECT count(*) AS n, TIMESTAMP '2020-01-01 00:00:00 America/New_York' AS t FROM auth_logs" | tee /dev/stderr | grep -q '"n":1,'
echo; ask "http://127.0.0.1:$port/livez"; echo
nsenter --target "$gateway" --mount --root -- du -sh /tmp /data
began=$SECONDS
kill -TERM "$gateway"
wait $unshared && echo "stopped with code 0 after $((SECONDS - began)) seconds"
gateway=
ls "$work/data"
