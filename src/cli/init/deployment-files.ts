/** Every file of `raay init`, by its kind. */
export const DEPLOYMENT_FILES = {
  systemd: { name: 'raay.service', what: 'a hardened service of systemd' },
  caddy: { name: 'Caddyfile', what: 'a site of Caddy' },
  nginx: { name: 'raay.conf', what: 'a site of nginx' },
  docker: { name: 'Dockerfile', what: 'an image for Docker or Podman' },
  compose: { name: 'compose.yaml', what: 'a service of Docker Compose' },
  k8s: { name: 'raay.yaml', what: 'the objects of Kubernetes' },
  alerts: { name: 'raay-alerts.yaml', what: 'alert rules of Prometheus' },
  grafana: { name: 'raay-dashboard.json', what: 'a dashboard of Grafana' },
} as const

export type FileKind = keyof typeof DEPLOYMENT_FILES
