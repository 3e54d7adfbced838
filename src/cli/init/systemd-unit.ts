import type { Deployment } from './deployment.js'
import { heading } from './deployment.js'

const STATE = '/var/lib/'
const HOME = /^\/(?:home|root)\//
const PRIVILEGED_PORTS_END = 1024

/**
 * Returns a service of systemd that may write its data directory and nothing else. Exit codes 1 and 2 need a
 * person; after any other the service starts again.
 */
export function systemdUnit(deployment: Deployment): string {
  const { data, port, publicUrl, user, program } = deployment
  const top = heading(
    deployment,
    'A service of systemd: /etc/systemd/system/raay.service',
    '',
    `  useradd --system --user-group --home-dir ${data} --shell /usr/sbin/nologin ${user}`,
    '  systemctl daemon-reload && systemctl enable --now raay',
    '',
  )
  return `${top}
[Unit]
Description=Raay, an exchange for opinion trading
Documentation=${publicUrl.origin}/docs/guides/operating
Wants=network-online.target
After=network-online.target
# Five stops by a fault within five minutes are one that a restart does not clear.
StartLimitIntervalSec=300
StartLimitBurst=5

[Service]
Type=exec
User=${user}
Group=${user}
ExecStart=${program} start
Environment=RAAY_DATA=${data} RAAY_PORT=${port} RAAY_AUTH=accounts
Environment=RAAY_PUBLIC_URL=${publicUrl.origin} RAAY_TRUSTED_PROXY=127.0.0.1,::1
# Secrets, such as RAAY_JWT_SECRET=…, in a file of mode 0600. Variables take precedence over config.json.
EnvironmentFile=-/etc/raay/raay.env
# Reads config.json again: systemctl reload raay
ExecReload=/bin/kill -HUP $MAINPID

# 70 and a kill are cleared by a start, which recovers. 1 (cannot start) and 2 (wrong settings) are not.
Restart=on-failure
RestartSec=1
RestartPreventExitStatus=1 2
# SIGTERM finishes the requests in progress; verifications and backups in other processes end with it.
KillMode=mixed
TimeoutStopSec=60

${storage(data)}
# One executable unpacks itself here.
CacheDirectory=raay
CacheDirectoryMode=0700
Environment=XDG_CACHE_HOME=/var/cache
UMask=0077
# Connections, and about fifty files of its own.
LimitNOFILE=65536
# See the guide Performance for what accounts and books need. A kill for memory loses nothing but time.
#MemoryMax=2G

${sandbox(deployment)}
${port < PRIVILEGED_PORTS_END ? LOW_PORT : 'CapabilityBoundingSet=\n'}
[Install]
WantedBy=multi-user.target
`
}

/** Returns how a service gets to its directory. */
export function storage(data: string): string {
  const name = data.slice(STATE.length)
  if (data.startsWith(STATE) && name !== '') return `StateDirectory=${name}\nStateDirectoryMode=0700`
  return `# The directory must exist and belong to the user.\nReadWritePaths=${data}`
}

/** Returns what a service may not do. */
export function sandbox({ program, data }: Pick<Deployment, 'program' | 'data'>): string {
  const usesHome = [data, ...program.split(' ')].some(path => HOME.test(path))
  return `NoNewPrivileges=yes
ProtectSystem=strict
${usesHome ? READABLE_HOME : 'ProtectHome=yes'}
PrivateTmp=yes
PrivateDevices=yes
ProtectClock=yes
ProtectControlGroups=yes
ProtectHostname=yes
ProtectKernelLogs=yes
ProtectKernelModules=yes
ProtectKernelTunables=yes
ProtectProc=invisible
# ProcSubset=pid would hide /proc/uptime, by which the exchange notices a clock that jumps.
RemoveIPC=yes
LockPersonality=yes
RestrictNamespaces=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
# AF_UNIX is for the pipes to its own processes.
RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX
SystemCallArchitectures=native
# @resources stays allowed: verifications lower their own priority.
SystemCallFilter=@system-service
SystemCallFilter=~@privileged
SystemCallErrorNumber=EPERM
# V8 compiles JavaScript to machine code while it runs: its memory must be writable and executable.
MemoryDenyWriteExecute=no`
}

const READABLE_HOME = `# Raay itself or its data is below a home directory.
ProtectHome=read-only`

const LOW_PORT = `# For the port below ${PRIVILEGED_PORTS_END}.
CapabilityBoundingSet=CAP_NET_BIND_SERVICE
AmbientCapabilities=CAP_NET_BIND_SERVICE
`
