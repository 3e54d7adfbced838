import type { Deployment } from './deployment.js'
import { heading } from './deployment.js'

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
	reverse_proxy 127.0.0.1:${port} {
		# In place of what the client sent, which may be forged.
		header_up X-Forwarded-For {remote_host}
		header_up -Forwarded
		flush_interval -1
		transport http {
			dial_timeout 5s
			# The exchange closes idle connections after 5 seconds.
			keepalive 4s
		}
	}
}
`
}
