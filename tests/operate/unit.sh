#!/usr/bin/env bash
# The systemd unit: how much of the machine it may touch, and whether account and folder are made.
set -euo pipefail
command -v systemd-analyze >/dev/null || { echo 'systemd-analyze is not installed'; exit 77; }
deploy=$TOP/examples/deploy/systemd

export SYSTEMD_LOG_LEVEL=err
report=$(systemd-analyze security --offline=true --no-pager "$deploy/citation.service")
exposure=$(sed -n 's/.*exposure level for citation.service: \([0-9.]*\).*/\1/p' <<<"$report")
echo "exposure: $exposure"
awk -v level="$exposure" 'BEGIN { exit !(level > 0 && level < 2) }'

mkdir -p root/etc root/var/lib root/usr/lib
cp -r "$deploy/sysusers.d" "$deploy/tmpfiles.d" root/usr/lib
if command -v systemd-sysusers >/dev/null; then
    systemd-sysusers --root="$PWD/root" citation.conf
    grep -q '^citation:' root/etc/passwd
fi
if command -v systemd-tmpfiles >/dev/null && [ "$(id -u)" = 0 ]; then
    systemd-tmpfiles --root="$PWD/root" --create citation.conf
    test "$(stat -c %a root/var/lib/citation)" = 700
fi

# What the package and the image set is taken by the program.
"$CITATION" config check "$TOP/examples/deploy/citation.toml"
