import { alertRules } from './alert-rules.js'
import { caddyfile } from './caddyfile.js'
import { composeFile } from './compose-file.js'
import { dashboard } from './dashboard.js'
import type { Deployment } from './deployment.js'
import type { FileKind } from './deployment-files.js'
import { dockerfile } from './dockerfile.js'
import { kubernetes } from './kubernetes.js'
import { nginxSite } from './nginx-site.js'
import { systemdUnit } from './systemd-unit.js'

/** The text of each file of `raay init`. Two of them need the declarations of all routes. */
export const DEPLOYMENT_TEXTS: Readonly<Record<FileKind, (deployment: Deployment) => string>> = {
  systemd: systemdUnit,
  caddy: caddyfile,
  nginx: nginxSite,
  docker: dockerfile,
  compose: composeFile,
  k8s: kubernetes,
  alerts: alertRules,
  grafana: dashboard,
}
