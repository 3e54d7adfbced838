import type { Deployment } from './deployment.js'
import { heading } from './deployment.js'
import { MARKET_PATHS, MARKET_SOCKET_PATH } from './market-paths.js'

/** Returns a site of Caddy, which gets its certificate automatically. */
export function caddyfile(deployment: Deployment): string {
  const { port, publicUrl, certificate } = deployment
  const tls = certificate === undefined ? '' : `\ttls ${certificate.certFile} ${certificate.keyFile}\n`
  const top = heading(
    deployment,
    'A site of Caddy: /etc/caddy/Caddyfile, then systemctl reload caddy',
    `The exchange needs --public-url ${publicUrl.origin} --trusted-proxy 127.0.0.1`,
  )
  return `${top}{
	servers {
		timeouts {
			read_header 15s
			read_body 15s
			idle 2m
		}
	}
}

${publicUrl.origin} {
${tls}	# The exchange itself refuses more than 100 KiB.
	request_body {
		max_size 1MB
	}
${standbysOf(deployment)}	reverse_proxy 127.0.0.1:${port} {
${HANDLING}	}
}
`
}

const HANDLING = `		# In place of what the client sent, which may be forged.
		header_up X-Forwarded-For {remote_host}
		header_up -Forwarded
		flush_interval -1
		transport http {
			dial_timeout 5s
			# The exchange closes idle connections after 5 seconds.
			keepalive 4s
		}
`

/** The standbys, and the requests that go to them. */
function standbysOf({ port, standbys }: Deployment): string {
  if (standbys.length === 0) return ''
  const reads = ['@reads', '@books'].map(name => toStandbys(name, standbys)).join('')
  return `	# Standbys answer reads of market data, and sockets for it at /ws?channels=markets, while they
	# are ready. They need the same --public-url, and this proxy in --trusted-proxy.
	@reads {
		method GET HEAD
		path_regexp ^${MARKET_PATHS}$
	}
	@books {
		path_regexp ^${MARKET_SOCKET_PATH}$
		query channels=markets
	}
${reads}	# The exchange that leads takes over reads that none of them can answer.
	handle_errors {
		@again {
			method GET HEAD
			expression {err.status_code} in [502, 503, 504]
		}
		reverse_proxy @again 127.0.0.1:${port} {
${HANDLING.replaceAll(/^/gm, '\t').trimEnd()}
		}
	}
`
}

function toStandbys(name: string, standbys: readonly string[]): string {
  return `	reverse_proxy ${name} ${standbys.join(' ')} {
		health_uri /readyz
		health_interval 1s
		health_timeout 1s
${HANDLING}	}
`
}
