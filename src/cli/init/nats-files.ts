import { sandbox, storage } from './systemd-unit.js'

/** A server of the cluster. */
export interface NatsHost {
  /** A name or an address. */
  readonly host: string
  /** For clients; that for other servers is 2000 higher, as in NATS' own examples. */
  readonly port: number
}

/** The values of a cluster in its files. Every text is checked: it can stand in any of them unquoted. */
export interface NatsDeployment {
  readonly version: string
  readonly hosts: readonly NatsHost[]
  readonly user: string
  /** The directory of the stream on each machine. */
  readonly store: string
  /** Public keys of the exchange's user and of the system account's. */
  readonly keys: { readonly exchange: string; readonly system: string }
  /** The servers' password for each other. */
  readonly routePassword: string
  /** Absolute paths of certificate, key and authority on each machine. */
  readonly tls: NatsTls | undefined
}

export interface NatsTls {
  readonly cert: string
  readonly key: string
  readonly ca: string
}

const ROUTE_PORT_MORE = 2000

/** Returns the name of a server in its cluster. */
export const serverName = (index: number): string => `n${index + 1}`

/** Returns the configuration of one nats-server, which syncs before it acknowledges. */
export function natsConfig(deployment: NatsDeployment, index: number): string {
  const { version, hosts, store, keys, routePassword, tls } = deployment
  const { host, port } = hosts[index] as NatsHost
  const address = isAddress(host) ? host : '0.0.0.0'
  const routes = hosts
    .map(to => `    nats-route://route:${routePassword}@${to.host}:${to.port + ROUTE_PORT_MORE}\n`)
    .join('')
  const own = serverName(index)
  return `# nats-server ${own} of the log of an exchange: /etc/raay-nats/nats-server.conf, mode 0600.
# The machines need their clocks within half a second of each other.
# Written by raay init, version ${version}.

server_name: ${own}
listen: "${address}:${port}"
${tlsOf(tls, '')}
jetstream {
  store_dir: "${store}"
  # A line is acknowledged once it is on the disk. NATS 2.10 and newer know this.
  sync_interval: always
  max_memory_store: 64MB
}

cluster {
  name: raay
  listen: "${address}:${port + ROUTE_PORT_MORE}"
  authorization { user: route, password: "${routePassword}", timeout: 2 }
${tlsOf(tls, '  ', true)}  routes: [
${routes}  ]
}

# Public keys. The exchange has the seeds: raay.nk as --replicate-login, raay-system.nk as
# --replicate-system-login, which reads whether the servers sync.
accounts {
  RAAY: { jetstream: enabled, users: [ { nkey: ${keys.exchange} } ] }
  SYS: { users: [ { nkey: ${keys.system} } ] }
}
system_account: SYS
`
}

/** Returns a service of systemd for each of the servers. */
export function natsUnit({ version, user, store }: NatsDeployment): string {
  const config = '/etc/raay-nats/nats-server.conf'
  // What is left out there has reasons of its own.
  const isShared = (line: string) => !/^(#|MemoryDeny)/.test(line)
  const shared = sandbox({ program: '/usr/sbin/nats-server', data: store }).split('\n').filter(isShared)
  return `# A service of systemd on each machine of the log: /etc/systemd/system/raay-nats.service
#
#   useradd --system --user-group --home-dir ${store} --shell /usr/sbin/nologin ${user}
#   install -d -o ${user} -m 0700 /etc/raay-nats
#   install -o ${user} -m 0600 nats-server.conf ${config}
#   systemctl daemon-reload && systemctl enable --now raay-nats
#
# Written by raay init, version ${version}.

[Unit]
Description=nats-server, the log of a Raay exchange
Wants=network-online.target
After=network-online.target time-sync.target

[Service]
Type=simple
User=${user}
Group=${user}
ExecStart=/usr/sbin/nats-server --config ${config}
ExecReload=/bin/kill -HUP $MAINPID
Restart=always
RestartSec=1
# Hands the stream over to another server first, which takes some seconds.
KillSignal=SIGUSR2
TimeoutStopSec=150

${storage(store)}
UMask=0077
LimitNOFILE=65536
CapabilityBoundingSet=

${shared.join('\n')}
MemoryDenyWriteExecute=yes

[Install]
WantedBy=multi-user.target
`
}

/** Returns what is left to be done, with the command of the exchange. */
export function natsAdvice(deployment: NatsDeployment, directory: string): string {
  const { hosts, tls } = deployment
  const servers = hosts.map(({ host, port }) => (port === 4222 ? host : `${host}:${port}`)).join(',')
  const scheme = tls === undefined ? 'nats' : 'tls'
  const machines = hosts.map(({ host }, index) => `  ${serverName(index)}/  on ${host}`).join('\n')
  return `Copy each configuration, and raay-nats.service, to its machine:

${machines}

Then start the exchange with the two seeds, which belong to its user alone (mode 0600):

  raay start --replicate-to ${scheme}://${servers}/orders --replication sync \\
    --replicate-login ${directory}/raay.nk --replicate-system-login ${directory}/raay-system.nk
`
}

function tlsOf(tls: NatsTls | undefined, indent: string, isForRoutes = false): string {
  const port = isForRoutes ? 'that of the cluster' : 'that of clients'
  if (tls === undefined)
    return `${indent}# Without TLS: open this port, ${port}, on a private network only.\n`
  const verify = isForRoutes ? ', verify: true' : ''
  return `${indent}tls { cert_file: "${tls.cert}", key_file: "${tls.key}", ca_file: "${tls.ca}"${verify} }\n`
}

const isAddress = (host: string) => /^[\d.]+$/.test(host) || host.startsWith('[')
