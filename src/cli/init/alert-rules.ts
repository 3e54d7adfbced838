import type { Alert } from './alerts.js'
import { ALERTS, JOB } from './alerts.js'
import type { Deployment } from './deployment.js'
import { heading } from './deployment.js'

const GUIDE = '/docs/guides/operating'

/** Returns the alerts as rules of Prometheus; each links to what to do, as this exchange serves it. */
export function alertRules(deployment: Deployment): string {
  const { port, publicUrl, data } = deployment
  const top = heading(
    deployment,
    'Alert rules of Prometheus: promtool check rules raay-alerts.yaml. In prometheus.yml:',
    '',
    '  rule_files: [raay-alerts.yaml]',
    '  scrape_configs:',
    `    - job_name: ${JOB}`,
    `      static_configs: [{ targets: ["127.0.0.1:${port}"] }]`,
    `      authorization: { credentials_file: ${data}/operator.key }`,
    '',
  )
  const rules = ALERTS.map(alert => ruleOf(alert, publicUrl.origin)).join('')
  return `${top}groups:\n  - name: raay\n    rules:\n${rules}`
}

function ruleOf({ name, severity, expr, holdsFor, summary }: Alert, origin: string): string {
  const lines = expr.split('\n').map(line => `          ${line}\n`)
  return `      - alert: ${name}
        expr: |-
${lines.join('')}        for: ${holdsFor}
        labels: { severity: ${severity} }
        annotations:
          summary: ${JSON.stringify(summary)}
          runbook_url: ${origin}${GUIDE}#${name.toLowerCase()}
`
}
