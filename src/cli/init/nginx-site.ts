import type { Deployment } from './deployment.js'
import { heading } from './deployment.js'
import { MARKET_PATHS, MARKET_SOCKET_PATH } from './market-paths.js'

/** Returns a site of nginx that is the only one to say where a request comes from. */
export function nginxSite(deployment: Deployment): string {
  const { port, publicUrl } = deployment
  const top = heading(
    deployment,
    'A site of nginx: /etc/nginx/conf.d/raay.conf, then nginx -t && systemctl reload nginx',
    `The exchange needs --public-url ${publicUrl.origin} --trusted-proxy 127.0.0.1`,
  )
  return `${top}
# Upgrades open WebSockets; other requests leave the connection open for the next one.
map $http_upgrade $raay_connection {
  default upgrade;
  ''      '';
}

upstream raay {
  server 127.0.0.1:${port};
  keepalive 64;
  keepalive_timeout 4s;           # the exchange closes idle connections after 5 seconds
}
${standbysOf(deployment)}${redirect(publicUrl)}
server {
${listening(deployment)}
  server_tokens off;

  client_max_body_size 1m;        # the exchange itself refuses more than 100 KiB
  client_header_timeout 15s;
  client_body_timeout 15s;
  send_timeout 30s;

  proxy_http_version 1.1;
  proxy_set_header Host $http_host;
  # In place of what the client sent, which may be forged. Behind another proxy of yours use
  # $proxy_add_x_forwarded_for, and name that proxy in --trusted-proxy as well.
  proxy_set_header X-Forwarded-For $remote_addr;
  proxy_set_header Forwarded "";
  proxy_set_header Upgrade $http_upgrade;
  proxy_set_header Connection $raay_connection;
  proxy_connect_timeout 5s;
  proxy_send_timeout 30s;
  proxy_read_timeout 60s;         # WebSockets have a heartbeat every 20 seconds
  proxy_buffering off;

  location / {
    proxy_pass http://${deployment.standbys.length === 0 ? 'raay' : '$raay_upstream'};
  }

  # A backup is answered once it is complete and verified.
  location = /admin/backup {
    proxy_pass http://raay;
    proxy_read_timeout 1h;
  }
}
`
}

/** The standbys, and the requests that go to them. */
function standbysOf({ port, standbys }: Deployment): string {
  if (standbys.length === 0) return ''
  const servers = standbys.map(standby => `  server ${standby} max_fails=1 fail_timeout=5s;`).join('\n')
  return `
# Standbys answer reads of market data, and sockets for it at /ws?channels=markets. The exchange that leads
# takes over what none of them can. nginx leaves out those that do not answer, and asks no /readyz: take one
# out that falls behind. A 503 must not take one out, since visitors can ask for one. They need the same
# --public-url, and this proxy in --trusted-proxy.
upstream raay_reads {
${servers}
  server 127.0.0.1:${port} backup;
  keepalive 64;
  keepalive_timeout 4s;
}

map "$request_method $uri $arg_channels" $raay_upstream {
  default raay;
  "~^(?:GET|HEAD) ${MARKET_PATHS} "      raay_reads;
  "~^GET ${MARKET_SOCKET_PATH} markets$" raay_reads;
}
`
}

function listening({ publicUrl, certificate }: Deployment): string {
  const { hostname, protocol, port } = publicUrl
  const isTls = protocol === 'https:'
  const on = `${port || (isTls ? 443 : 80)}${isTls ? ' ssl' : ''}`
  const lines = [`listen ${on};`, `listen [::]:${on};`, `server_name ${hostname};`]
  if (!isTls) return indented(lines)
  const live = `/etc/letsencrypt/live/${hostname}`
  const { certFile, keyFile } = certificate ?? {
    certFile: `${live}/fullchain.pem`,
    keyFile: `${live}/privkey.pem`,
  }
  return indented([
    ...lines,
    `ssl_certificate     ${certFile};`,
    `ssl_certificate_key ${keyFile};`,
    'ssl_protocols TLSv1.2 TLSv1.3;',
    'ssl_session_cache shared:raay:10m;',
  ])
}

/** Browsers begin with http where only a name is typed. */
function redirect({ protocol, port, hostname, host }: URL): string {
  if (protocol !== 'https:' || port !== '') return ''
  return `
server {
  listen 80;
  listen [::]:80;
  server_name ${hostname};
  return 301 https://${host}$request_uri;
}
`
}

const indented = (lines: readonly string[]) => lines.map(line => `  ${line}`).join('\n')
