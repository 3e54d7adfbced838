import type { Deployment } from './deployment.js'
import { heading } from './deployment.js'

/** Returns a service of Docker Compose that a proxy on the same machine reaches, and nobody else. */
export function composeFile(deployment: Deployment): string {
  const { port, publicUrl, image } = deployment
  const top = heading(
    deployment,
    'A service of Docker Compose, for a proxy on the same machine: docker compose up --detach',
    'The Dockerfile beside it is that of: raay init docker',
  )
  return `${top}
name: raay
services:
  raay:
    build: .
    image: ${image}
    init: true
    restart: unless-stopped
    # A proxy on this machine, and nobody else, reaches the port.
    ports:
      - "127.0.0.1:${port}:${port}"
    environment:
      RAAY_PUBLIC_URL: ${publicUrl.origin}
      # The proxy's connections arrive from the gateway of the network below.
      RAAY_TRUSTED_PROXY: 172.30.77.1
    volumes:
      - data:/data
    read_only: true
    tmpfs:
      - /tmp:size=64m,mode=1777
    cap_drop:
      - ALL
    security_opt:
      - no-new-privileges:true
    ulimits:
      nofile: 65536
    # See the guide Performance for what accounts and books need.
    # mem_limit: 2g
    stop_grace_period: 60s
    networks:
      - raay
    logging:
      driver: json-file
      options:
        max-size: 50m
        max-file: "5"
volumes:
  data:
networks:
  raay:
    ipam:
      config:
        - subnet: 172.30.77.0/24
          gateway: 172.30.77.1
`
}
