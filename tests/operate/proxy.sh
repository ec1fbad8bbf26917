#!/usr/bin/env bash
# proxy.sh nginx|caddy: the service behind a proxy with a certificate of its own making, by the
# configuration in examples/deploy.
set -euo pipefail
proxy=$1
for tool in "$proxy" curl openssl python3; do
    command -v "$tool" >/dev/null || { echo "$tool is not installed"; exit 77; }
done

# Two free ports, as good as sure to be free a moment later.
read -r http https < <(python3 - <<'PY'
import socket
sockets = [socket.socket() for _ in range(2)]
for s in sockets: s.bind(("127.0.0.1", 0))
print(*(s.getsockname()[1] for s in sockets))
PY
)
base=https://localhost:$https

mkdir data
cat >data/citation.toml <<EOF
[server]
base_url = "$base"
trusted_proxies = ["127.0.0.1"]
EOF
"$CITATION" --data data serve --listen 127.0.0.1:0 >server.log 2>&1 &
server=$!
worker=
trap 'kill $server $worker 2>/dev/null || true; wait' EXIT
until grep -q '^listening on' server.log; do
    kill -0 $server || { cat server.log; exit 1; }
    sleep 0.1
done
upstream=$(sed -n 's,^listening on http://,,p' server.log)
deploy=$TOP/examples/deploy

case $proxy in
nginx)
    openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost \
        -addext subjectAltName=DNS:localhost -keyout privkey.pem -out fullchain.pem 2>/dev/null
    sed -e "s,\${CITATION_HOST},localhost,; s,\${CITATION_UPSTREAM},$upstream,; s,\${CITATION_CERTIFICATES},$PWD," \
        -e "s,listen 80;,listen 127.0.0.1:$http;,; s,listen 443,listen 127.0.0.1:$https," \
        -e '/listen \[::\]/d' "$deploy/nginx/citation.conf.template" >site.conf
    cat >nginx.conf <<EOF
daemon off;
pid $PWD/nginx.pid;
error_log stderr;
events {}
http {
    access_log off;
    client_body_temp_path $PWD/body;
    proxy_temp_path $PWD/proxy;
    fastcgi_temp_path $PWD/fastcgi;
    uwsgi_temp_path $PWD/uwsgi;
    scgi_temp_path $PWD/scgi;
    include $PWD/site.conf;
}
EOF
    nginx -p "$PWD" -c "$PWD/nginx.conf" >proxy.log 2>&1 &
    worker=$!
    authority=fullchain.pem
    ;;
caddy)
    { printf '{\n\thttp_port %s\n\thttps_port %s\n\tadmin off\n\tskip_install_trust\n}\n' "$http" "$https"
      cat "$deploy/caddy/Caddyfile"; } >Caddyfile
    export CITATION_HOST=localhost CITATION_UPSTREAM=$upstream XDG_DATA_HOME=$PWD/share
    caddy run --config Caddyfile --adapter caddyfile >proxy.log 2>&1 &
    worker=$!
    authority=share/caddy/pki/authorities/local/root.crt
    ;;
esac

for _ in $(seq 300); do
    if [ -s "$authority" ] && curl -sf --cacert "$authority" "$base/healthz" >/dev/null; then break; fi
    kill -0 $worker || { cat proxy.log; exit 1; }
    sleep 0.1
done

# ask PATH ARGUMENT...: head and body of an answer through the proxy.
ask() { curl -sSi --http1.1 --path-as-is --cacert "$authority" "$base$1" "${@:2}"; }
# expect TEXT PATH ARGUMENT...: the answer holds this.
expect() {
    local answer
    answer=$(ask "${@:2}" | tr -d '\r')
    grep -qiF -- "$1" <<<"$answer" || { printf '%s lacks %s:\n%s\n' "$2" "$1" "$answer" | head -c 3000; exit 1; }
}

expect ' 200' /
expect '<html' /verify
# Every asset that the first page names, and the service worker.
ask / | grep -oE '(src|href)="/[^"]*\.(js|css|svg)[^"]*"' | sed 's/^[a-z]*="//; s/"$//' | sort -u >paths
test -s paths
while read -r path; do expect ' 200' "$path"; done <paths
expect 'location: /auth/login' /account -H 'Accept: text/html'
expect '10.1038/171737a0' /api/v1/lookup/doi -d '{"doi": "10.1038/171737a0"}'
expect ' 200' /api/v1/works/10.1038%2F171737a0
expect "$base" /api/openapi.json
# The link of the first account has the address that people see; the cookie is kept to it and to TLS.
token=$(sed -n "s,^ *$base/auth/link?token=,,p" server.log)
test -n "$token"
expect 'set-cookie: __Host-session=' /auth/link -H "Origin: $base" \
    -d "token=$token" -d email=a@example.org -d password=correct-horse-battery
# So has a link that the command line makes.
[[ $("$CITATION" --data data user add b@example.org) == *"$base/auth/link?token="* ]]
# Plain HTTP leads to TLS.
[[ $(curl -sSi "http://localhost:$http/verify" -H 'Host: localhost') == *[Ll]ocation:\ https://localhost* ]]
echo "$proxy: all right"
