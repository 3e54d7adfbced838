import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { parse } from 'yaml'
import { alertRules } from '../../src/cli/init/alert-rules.js'
import { ALERTS } from '../../src/cli/init/alerts.js'
import { dashboard } from '../../src/cli/init/dashboard.js'
import { metricsText } from '../../src/http/metrics-text.js'
import { deploymentOf } from '../fixtures/deployment.js'
import { QUIET_HOST } from '../fixtures/http-scenario.js'
import { TestExchange } from '../fixtures/test-exchange.js'

const RUNBOOK = fileURLToPath(new URL('../../../src/docs/guides/operating.md', import.meta.url))
const DEPLOYMENT = deploymentOf(3000, 'https://raay.example.org')
const NO_PROMTOOL = spawnSync('promtool', ['--version']).error
  ? 'there is no promtool: apt-get install prometheus'
  : false

interface Placed {
  readonly id: number
  readonly type: string
  readonly gridPos: Readonly<Record<'x' | 'y' | 'w' | 'h', number>>
  readonly targets?: readonly { readonly expr: string; readonly refId: string }[]
}
const board = JSON.parse(dashboard()) as { readonly panels: readonly Placed[]; readonly annotations: object }
const rules = alertRules(DEPLOYMENT)

/** Returns the names of metrics in an expression or a file. */
const metricsIn = (text: string) => new Set([...text.matchAll(/\braay_[a-z_]+/g)].map(([name]) => name))

/** Returns the families of `/metrics`, and for each its labels and their values. */
async function families(exchange: TestExchange): Promise<Map<string, Map<string, Set<string>>>> {
  const text = metricsText(await exchange.exchange.health(), QUIET_HOST, '1')
  const found = new Map<string, Map<string, Set<string>>>()
  for (const [, name = ''] of text.matchAll(/^# TYPE (\S+)/gm)) found.set(name, new Map())
  for (const [, name = '', labels = ''] of text.matchAll(/^(raay_[a-z_]+)\{(.+)\} /gm)) {
    const family = found.get(familyOf(name))
    for (const [, label = '', value = ''] of labels.matchAll(/([a-z]+)="([^"]*)"/g)) {
      family?.set(label, (family.get(label) ?? new Set()).add(value))
    }
  }
  return found
}

const familyOf = (name: string) => name.replace(/_(?:bucket|sum|count)$/, '')

t.test('dashboard and alerts use the metrics that exist, and no others', async t => {
  const test = await TestExchange.open(t)
  const known = await families(test)
  const used = [...metricsIn(`${dashboard()}${rules.replaceAll(/^#.*$/gm, '')}`)].map(familyOf)
  for (const name of used) t.ok(known.has(name), `${name} exists`)
  for (const name of known.keys()) t.ok(used.includes(name), `${name} is shown or watched`)
})

t.test('the labels by which an expression chooses exist', async t => {
  const test = await TestExchange.open(t)
  const known = await families(test)
  const text = `${ALERTS.map(({ expr }) => expr).join('\n')}\n${expressions().join('\n')}`
  for (const [, name = '', labels = ''] of text.matchAll(/(raay_[a-z_]+)\{([^}]+)\}/g)) {
    for (const [, label = '', is = '', value = ''] of labels.matchAll(/([a-z]+)(=~?)"([^"]+)"/g)) {
      if (label === 'job' || label === 'instance') continue
      const values = known.get(familyOf(name))?.get(label)
      // The quiet host of tests has refused with 503 alone.
      if (name === 'raay_requests_refused_total') t.match(value, /^(?:[45]\d\d\|?)+$/)
      else t.ok(is === '=' && values?.has(value), `${name}{${label}="${value}"}`)
    }
  }
})

function expressions(): string[] {
  return board.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr))
}

t.test('panels overlap neither on the screen nor by their ids', t => {
  const taken = new Set<string>()
  for (const { gridPos, targets } of board.panels) {
    const { x, y, w, h } = gridPos
    t.ok(x + w <= 24)
    for (let column = x; column < x + w; column++) {
      for (let line = y; line < y + h; line++) {
        if (taken.has(`${column} ${line}`)) t.fail(`column ${column}, line ${line} is taken twice`)
        taken.add(`${column} ${line}`)
      }
    }
    const ids = (targets ?? []).map(({ refId }) => refId)
    t.equal(new Set(ids).size, ids.length)
  }
  const ids = board.panels.map(({ id }) => id)
  t.equal(new Set(ids).size, ids.length)
  t.notMatch(dashboard(), /%/, 'each expression chooses an exchange')
  t.end()
})

t.test('each alert has a section in the runbook, to which it links, and no section is left over', t => {
  const sections = [...readFileSync(RUNBOOK, 'utf8').matchAll(/^### (Raay\w+)$/gm)].map(([, name]) => name)
  t.same(
    sections,
    ALERTS.map(({ name }) => name),
  )
  const [group] = parse(rules).groups
  for (const rule of group.rules) {
    const link = `https://raay.example.org/docs/guides/operating#${rule.alert.toLowerCase()}`
    t.equal(rule.annotations.runbook_url, link)
  }
  t.same(
    group.rules.map(({ alert, expr }: { alert: string; expr: string }) => [alert, expr]),
    ALERTS.map(({ name, expr }) => [name, expr]),
  )
  t.end()
})

/** Series by which an alert fires after some minutes, one value a minute, as promtool writes them. */
const FIRING: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  RaayDown: { up: '0+0x400' },
  RaayRestartsOften: { raay_uptime_seconds: '0+60x230 3 60 2 60 1+60x20' },
  RaayDiskLow: { 'raay_disk_state{state="ok"}': '0+0x400', 'raay_disk_state{state="low"}': '1+0x400' },
  RaayDiskFillsUp: { raay_disk_free_bytes: '5000000-1000x1000', raay_disk_reserve_bytes: '1000+0x1000' },
  RaayVerificationFailed: { raay_verification_ok: '0+0x400' },
  RaayNotVerified: { raay_uptime_seconds: '86401+60x400' },
  RaayBackupFailed: {
    raay_last_backup_failure_timestamp_seconds: '700+0x400',
    raay_last_verified_backup_timestamp_seconds: '600+0x400',
  },
  RaayBackupOld: { raay_uptime_seconds: '86401+60x400' },
  RaayReplicationFailing: { raay_journal_sequence: '0+10x400', raay_replicated_through: '5+0x400' },
  RaayStandbyBehind: { raay_standby_lag_seconds: '11+60x400' },
  RaayTablesBehind: { raay_tables_commands_behind: '30000+0x400' },
  RaayTooBusy: { 'raay_requests_refused_total{status="503"}': '0+120x400' },
  RaayFaults: { 'raay_requests_refused_total{status="500"}': '0+1x400' },
  RaayManyRefusals: {
    'raay_requests_refused_total{status="401"}': '0+200x400',
    'raay_requests_refused_total{status="429"}': '0+200x400',
  },
  RaayEventLoopLate: { 'raay_event_loop_delay_seconds{quantile="0.99"}': '0.3+0x400' },
  RaayOrdersSlow: {
    'raay_order_latency_seconds_bucket{le="0.5"}': '0+5x400',
    'raay_order_latency_seconds_bucket{le="1"}': '0+100x400',
    'raay_order_latency_seconds_bucket{le="+Inf"}': '0+100x400',
  },
  RaayClockHeld: { raay_clock_held: '1+0x400' },
  RaayCertificateExpires: { raay_certificate_expires_timestamp_seconds: '500000+0x400' },
}
/** An exchange that is well: nothing may fire. */
const QUIET: Readonly<Record<string, string>> = {
  up: '1+0x400',
  raay_uptime_seconds: '90000+60x400',
  'raay_disk_state{state="ok"}': '1+0x400',
  'raay_disk_state{state="low"}': '0+0x400',
  raay_disk_free_bytes: '100000000000-1000x400',
  raay_disk_reserve_bytes: '1000000+0x400',
  raay_verification_ok: '1+0x400',
  raay_last_verification_timestamp_seconds: '0+0x400',
  raay_last_backup_failure_timestamp_seconds: '500+0x400',
  raay_last_verified_backup_timestamp_seconds: '600+0x400',
  raay_next_backup_timestamp_seconds: '87000+0x400',
  raay_tables_commands_behind: '100+0x400',
  'raay_requests_refused_total{status="500"}': '3+0x400',
  'raay_requests_refused_total{status="503"}': '0+6x400',
  'raay_requests_refused_total{status="401"}': '0+30x400',
  'raay_event_loop_delay_seconds{quantile="0.99"}': '0.02+0x400',
  'raay_event_loop_delay_seconds{quantile="1"}': '3+0x400',
  'raay_order_latency_seconds_bucket{le="0.5"}': '0+100x400',
  'raay_order_latency_seconds_bucket{le="+Inf"}': '0+100x400',
  raay_clock_held: '0+0x400',
  raay_certificate_expires_timestamp_seconds: '3000000+0x400',
}
/** A standby that is well: it makes no backups. */
const STANDBY: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.entries(QUIET).filter(([name]) => !name.includes('backup'))),
  raay_leads: '0+0x400',
  raay_standby_lag_seconds: '0+0x400',
}
const AT = '4h'

t.test('each alert fires where it must, and none on an exchange that is well', { skip: NO_PROMTOOL }, t => {
  const directory = mkdtempSync(join(tmpdir(), 'raay-alerts-'))
  t.teardown(() => rmSync(directory, { recursive: true }))
  writeFileSync(join(directory, 'rules.yaml'), rules)
  t.same(
    Object.keys(FIRING),
    ALERTS.map(({ name }) => name),
  )
  const series = (of: Readonly<Record<string, string>>) =>
    Object.entries(of).map(([name, values]) => {
      const [, plain = '', labels = ''] = /^(\w+)(?:\{(.+)\})?$/.exec(name) ?? []
      const all = ['job="raay"', 'instance="a:1"', ...(labels === '' ? [] : [labels])]
      return { series: `${plain}{${all.join(',')}}`, values }
    })
  const fires = (name: string, of: Readonly<Record<string, string>>) => ({
    interval: '1m',
    input_series: series(of),
    promql_expr_test: [
      {
        expr: `count(ALERTS{alertname="${name}", alertstate="firing"}) or vector(0)`,
        eval_time: AT,
        exp_samples: [{ labels: '{}', value: 1 }],
      },
    ],
  })
  const quiet = (of: Readonly<Record<string, string>>) => ({
    interval: '1m',
    input_series: series(of),
    alert_rule_test: ALERTS.map(({ name }) => ({ alertname: name, eval_time: AT, exp_alerts: [] })),
  })
  const tests = [
    quiet({ ...QUIET, raay_leads: '1+0x400' }),
    quiet(STANDBY),
    ...Object.entries(FIRING).map(([name, of]) => fires(name, of)),
  ]
  writeFileSync(join(directory, 'tests.yaml'), JSON.stringify({ rule_files: ['rules.yaml'], tests }))
  const run = (...argv: string[]) => spawnSync('promtool', argv, { cwd: directory, encoding: 'utf8' })
  t.match(run('check', 'rules', 'rules.yaml'), { status: 0 })
  const { status, stdout, stderr } = run('test', 'rules', 'tests.yaml')
  t.equal(status, 0, `${stdout}${stderr}`)
  t.end()
})
