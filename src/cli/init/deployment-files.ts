import { alertRules } from './alert-rules.js'
import { caddyfile } from './caddyfile.js'
import { composeFile } from './compose-file.js'
import { dashboard } from './dashboard.js'
import type { Deployment } from './deployment.js'
import { dockerfile } from './dockerfile.js'
import { kubernetes } from './kubernetes.js'
import { nginxSite } from './nginx-site.js'
import { systemdUnit } from './systemd-unit.js'

interface DeploymentFile {
  readonly name: string
  readonly what: string
  readonly text: (deployment: Deployment) => string
}

/** Every file of `raay init`, by its kind. */
export const DEPLOYMENT_FILES = {
  systemd: { name: 'raay.service', what: 'a hardened service of systemd', text: systemdUnit },
  caddy: { name: 'Caddyfile', what: 'a site of Caddy', text: caddyfile },
  nginx: { name: 'raay.conf', what: 'a site of nginx', text: nginxSite },
  docker: { name: 'Dockerfile', what: 'an image for Docker or Podman', text: dockerfile },
  compose: { name: 'compose.yaml', what: 'a service of Docker Compose', text: composeFile },
  k8s: { name: 'raay.yaml', what: 'the objects of Kubernetes', text: kubernetes },
  alerts: { name: 'raay-alerts.yaml', what: 'alert rules of Prometheus', text: alertRules },
  grafana: { name: 'raay-dashboard.json', what: 'a dashboard of Grafana', text: dashboard },
} as const satisfies Readonly<Record<string, DeploymentFile>>

export type FileKind = keyof typeof DEPLOYMENT_FILES
