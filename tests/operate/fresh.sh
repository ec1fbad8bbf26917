#!/usr/bin/env bash
# A fresh Debian, by docs/install.md: the package is built and installed, the service started, an account made,
# a backup made and restored on "another machine", an older database upgraded, the package installed once
# more.
set -euo pipefail
if [ -z "${CITATION_OPERATE_FRESH:-}" ]; then
    echo 'CITATION_OPERATE_FRESH is not set: a Debian is fetched, which takes minutes'
    exit 77
fi
for tool in debootstrap cargo-deb curl python3; do
    command -v "$tool" >/dev/null || { echo "$tool is not installed"; exit 77; }
done
[ "$(id -u)" = 0 ] || { echo 'only root can make a fresh Debian'; exit 77; }

work=$PWD
case $CITATION in */debug/*) profile=dev ;; *) profile=release ;; esac
(
    cd "$TOP"
    "$CITATION" man --directory target/man
    mkdir -p target/completions
    "$CITATION" completions bash >target/completions/citation.bash
    "$CITATION" completions zsh >target/completions/_citation
    "$CITATION" completions fish >target/completions/citation.fish
    cargo-deb --no-build --no-strip --fast --profile "$profile" -o "$work/citation.deb"
)
debootstrap --variant=minbase --include=systemd bookworm "$work/debian" >debootstrap.log
cp citation.deb debian/tmp/
within() { chroot "$work/debian" "$@"; }
as_service() { within runuser -u citation -- citation --config /etc/citation/citation.toml "$@"; }
within dpkg -i /tmp/citation.deb
# What the unit has systemd do, which runs in no chroot.
within install -d -o citation -g citation -m 700 /var/lib/citation
test -f debian/usr/lib/systemd/system/citation.service || test -f debian/lib/systemd/system/citation.service
test -f debian/usr/share/man/man1/citation.1.gz

server=
trap '[ -z "$server" ] || kill "$server" 2>/dev/null; wait' EXIT
# start ARGUMENT...: starts the service and waits for it; $address is where it listens.
start() {
    as_service "$@" serve --listen 127.0.0.1:0 >"$work/server.log" 2>&1 &
    server=$!
    until grep -q '^listening on' "$work/server.log"; do
        kill -0 "$server" || { cat "$work/server.log"; exit 1; }
        sleep 0.1
    done
    address=$(sed -n 's/^listening on //p' "$work/server.log")
}
stop() {
    as_service_pid=$(pgrep -P "$server" -x citation || echo "$server")
    kill $as_service_pid
    wait "$server" || true
    server=
}

start
curl -sf "$address/api/v1/lookup/doi" -d '{"doi": "10.1038/171737a0"}' | grep -q Watson
as_service user add a@example.org --plan academic | grep -qF "$address/auth/link?token="
as_service backup /var/lib/citation/monday.db
stop

within install -d -o citation -g citation -m 700 /var/lib/another
as_service --data /var/lib/another restore /var/lib/citation/monday.db
start --data /var/lib/another
curl -sf "$address/readyz"
as_service --data /var/lib/another user show a@example.org | grep -q Academic
stop

# A database of the first released schema is brought up to date, and a copy of it kept.
within install -d -o citation -g citation -m 700 /var/lib/older
python3 - "$TOP/tests/service/schemas/1.sql" debian/var/lib/older/citation.db <<'END'
import sqlite3, sys
sqlite3.connect(sys.argv[2]).executescript(open(sys.argv[1]).read())
END
within chown citation:citation /var/lib/older/citation.db
start --data /var/lib/older
curl -sf "$address/readyz"
as_service --data /var/lib/older user show academic@example.org | grep -q Academic
test -f debian/var/lib/older/backups/citation-v1.db
stop

within dpkg -i /tmp/citation.deb
as_service user show a@example.org | grep -q Academic
echo 'fresh Debian: all right'
