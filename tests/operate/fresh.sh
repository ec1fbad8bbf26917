#!/usr/bin/env bash
# A fresh Debian, by docs/install.md and docs/operate.md: the package is built and installed, the service started,
# an account made, a backup made and restored on "another machine", an older database upgraded, the package
# installed once more. Then it stands behind nginx with a certificate of its own making, and somebody signs in
# by OpenID Connect, where CITATION_OIDC_PROVIDER names a folder with npm's oidc-provider.
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
debootstrap --variant=minbase --include=systemd,nginx-light,openssl,gettext-base bookworm "$work/debian" >debootstrap.log
cp citation.deb debian/tmp/
within() { chroot "$work/debian" "$@"; }
service=(chroot "$work/debian" setpriv --reuid=citation --regid=citation --clear-groups
    citation --config /etc/citation/citation.toml)
as_service() { "${service[@]}" "$@"; }
within dpkg -i /tmp/citation.deb
# What the unit has systemd do, which runs in no chroot.
within install -d -o citation -g citation -m 700 /var/lib/citation
test -f debian/usr/lib/systemd/system/citation.service || test -f debian/lib/systemd/system/citation.service
test -f debian/usr/share/man/man1/citation.1.gz

server= nginx= provider=
trap 'kill $server $nginx $provider 2>/dev/null || true; wait' EXIT
# start ARGUMENT...: starts the service and waits for it; $address is where it listens.
start() {
    (exec "${service[@]}" "$@" serve --listen 127.0.0.1:0) >"$work/server.log" 2>&1 &
    server=$!
    until grep -q '^listening on' "$work/server.log"; do
        kill -0 "$server" || { cat "$work/server.log"; exit 1; }
        sleep 0.1
    done
    address=$(sed -n 's/^listening on //p' "$work/server.log")
}
stop() {
    kill "$server"
    wait "$server" || true
    server=
}

start
[[ $(curl -sf "$address/api/v1/lookup/doi" -d '{"doi": "10.1038/171737a0"}') == *Watson* ]]
[[ $(as_service user add a@example.org --plan academic) == *"$address/auth/link?token="* ]]
as_service backup /var/lib/citation/monday.db
stop

within install -d -o citation -g citation -m 700 /var/lib/another
as_service --data /var/lib/another restore /var/lib/citation/monday.db
start --data /var/lib/another
curl -sf "$address/readyz"
[[ $(as_service --data /var/lib/another user show a@example.org) == *Academic* ]]
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
[[ $(as_service --data /var/lib/older user show academic@example.org) == *Academic* ]]
test -f debian/var/lib/older/backups/citation-v1.db
stop

within dpkg -i /tmp/citation.deb
[[ $(as_service user show a@example.org) == *Academic* ]]

# Free ports, as good as sure to be free a moment later.
read -r http https oidc < <(python3 - <<'END'
import socket
sockets = [socket.socket() for _ in range(3)]
for s in sockets: s.bind(("127.0.0.1", 0))
print(*(s.getsockname()[1] for s in sockets))
END
)
base=https://localhost:$https
cat >>debian/etc/citation/citation.toml <<END
[server]
base_url = "$base"
trusted_proxies = ["127.0.0.1"]
[auth]
sign_up = "open"
[[auth.oidc]]
name = "university"
issuer = "http://127.0.0.1:$oidc"
client_id = "citation"
END
export CITATION_AUTH__OIDC__0__CLIENT_SECRET='a secret of the test that is long enough'
if [ -n "${CITATION_OIDC_PROVIDER:-}" ]; then
    # Node looks for packages beside the script.
    cp "$TOP/tests/service/oidc/provider.mjs" "$CITATION_OIDC_PROVIDER/fresh.mjs"
    node "$CITATION_OIDC_PROVIDER/fresh.mjs" "$oidc" "$base/auth/callback" >provider.log 2>&1 &
    provider=$!
    until grep -qs '^ready' provider.log; do
        kill -0 "$provider" || { cat provider.log; exit 1; }
        sleep 0.1
    done
fi
start
within openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost \
    -addext subjectAltName=DNS:localhost -keyout /etc/nginx/privkey.pem -out /etc/nginx/fullchain.pem 2>/dev/null
cp "$TOP/examples/deploy/nginx/citation.conf.template" debian/tmp/
CITATION_HOST=localhost CITATION_UPSTREAM=${address#http://} CITATION_CERTIFICATES=/etc/nginx \
    within envsubst '$CITATION_HOST $CITATION_UPSTREAM $CITATION_CERTIFICATES' <debian/tmp/citation.conf.template |
    sed -e "s,listen 80;,listen 127.0.0.1:$http;,; s,listen 443,listen 127.0.0.1:$https," \
        -e '/listen \[::\]/d' >debian/etc/nginx/sites-enabled/citation
rm debian/etc/nginx/sites-enabled/default
(exec chroot "$work/debian" nginx -g 'daemon off;') >nginx.log 2>&1 &
nginx=$!
# browse ARGUMENT...: a browser that keeps cookies and trusts the certificate.
browse() { curl -sS --cacert debian/etc/nginx/fullchain.pem -b cookies -c cookies "$@"; }
until browse -o /dev/null "$base/readyz" 2>/dev/null; do
    kill -0 "$nginx" || { cat nginx.log; exit 1; }
    sleep 0.1
done
[[ $(browse "$base/api/v1/lookup/doi" -d '{"doi": "10.1038/171737a0"}') == *Watson* ]]
[[ $(as_service user add c@example.org) == *"$base/auth/link?token="* ]]
if [ -n "$provider" ]; then
    # goes ADDRESS ARGUMENT...: where an answer leads.
    goes() { browse -o /dev/null -w '%{redirect_url}' "$@"; }
    page=$(goes "$base/auth/login?provider=university")
    until [[ $page == "$base"/auth/callback* ]]; do
        case $page in
        */interaction/*)
            case $(browse "$page") in
            *'name="login"'*) page=$(goes "$page" -d 'prompt=login&login=ada&password=x') ;;
            *) page=$(goes "$page" -d 'prompt=consent') ;;
            esac ;;
        http*) page=$(goes "$page") ;;
        *) echo "sign-in leads nowhere: $page"; exit 1 ;;
        esac
    done
    browse -o /dev/null "$page"
    [[ $(browse "$base/account" -H 'Accept: text/html') == *ada@example.org* ]]
    kill "$provider"
else
    echo 'CITATION_OIDC_PROVIDER does not name a folder with oidc-provider: nobody signed in by it'
fi
kill "$nginx"
stop
echo 'fresh Debian: all right'
