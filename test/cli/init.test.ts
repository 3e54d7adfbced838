import { execFile, execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { parse, parseAllDocuments } from 'yaml'
import { z } from 'zod'
import { caddyfile } from '../../src/cli/init/caddyfile.js'
import { composeFile } from '../../src/cli/init/compose-file.js'
import { DEPLOYMENT_TEXTS } from '../../src/cli/init/deployment-texts.js'
import { dockerfile } from '../../src/cli/init/dockerfile.js'
import { kubernetes } from '../../src/cli/init/kubernetes.js'
import { nginxSite } from '../../src/cli/init/nginx-site.js'
import { systemdUnit } from '../../src/cli/init/systemd-unit.js'
import { SETTINGS } from '../../src/server/config/settings.js'
import { deploymentOf } from '../fixtures/deployment.js'
import { runRaay } from '../fixtures/raay-command.js'
import { NO_CADDY } from '../fixtures/server/proxies.js'
import { startTestServer } from '../fixtures/server-process.js'

const URL_OF_ALL = 'https://raay.example.org'
const DEPLOYMENT = deploymentOf(3000, URL_OF_ALL)
const directory = mkdtempSync(join(tmpdir(), 'raay-init-'))
t.teardown(() => rmSync(directory, { recursive: true }))

/** Returns the reason to skip tests with a program, or false. */
const without = (program: string, debian: string) =>
  spawnSync(program, ['--version']).error === undefined
    ? false
    : `there is no ${program}: apt-get install ${debian}`

t.test('prints a file, or writes it into a directory', async t => {
  const printed = await runRaay(['init', 'systemd', '--port', '8080', '--program', '/opt/raay'])
  t.match(printed, { code: 0, stderr: '' })
  t.match(printed.stdout, /^ExecStart=\/opt\/raay start$/m)
  t.match(printed.stdout, /^Environment=RAAY_DATA=\/var\/lib\/raay RAAY_PORT=8080 /m)

  const out = join(directory, 'new', 'one')
  const file = join(out, 'raay.conf')
  t.same(await runRaay(['init', 'nginx', '--out', out]), { code: 0, stdout: `${file}\n`, stderr: '' })
  t.match(readFileSync(file, 'utf8'), /server_name raay\.example\.org;/)
  t.equal(statSync(file).mode & 0o777, 0o644)

  writeFileSync(file, 'mine')
  const again = await runRaay(['init', 'nginx', '--out', out])
  t.match(again, { code: 1, stdout: '', stderr: /^raay: .+raay\.conf exists: move it away.+\n$/ })
  t.equal(readFileSync(file, 'utf8'), 'mine', 'never overwrites a file')
})

t.test('runs this very program unless another is named', async t => {
  const { stdout } = await runRaay(['init', 'systemd'])
  const [, node = '', script = ''] = /^ExecStart=(\S+) (\S+) start$/m.exec(stdout) ?? []
  t.ok(existsSync(node) && existsSync(script), stdout)
  t.match(execFileSync(node, [script, '--version'], { encoding: 'utf8' }), /^raay \d/i)
})

t.test('takes no text that would mean something else in a file', async t => {
  const wrong = [
    ['--data', 'srv/raay'],
    ['--data', '/srv/raay\nUser=root'],
    ['--data', '/srv/ra ay'],
    ['--data', '/srv/$HOME'],
    ['--port', '0'],
    ['--port', '65536'],
    ['--public-url', 'raay.example.org'],
    ['--public-url', 'https://raay.example.org/below'],
    ['--public-url', 'https://u:p@raay.example.org'],
    ['--public-url', 'https://raay.example.org;evil'],
    ['--user', 'root; rm'],
    ['--program', 'raay'],
    ['--program', '/usr/bin/raay --data /x'],
    ['--image', 'raay latest'],
    ['--tls-cert', '/etc/cert.pem'],
  ]
  const ended = await Promise.all(wrong.map(options => runRaay(['init', 'nginx', ...options])))
  for (const [index, options] of wrong.entries()) {
    t.match(ended[index], { code: 2, stdout: '', stderr: /^raay: --\S+ .+\n$/ }, options.join(' '))
  }
})

t.test('every file is complete, and names only settings that exist', t => {
  const variables = new Set<string>(Object.values(SETTINGS).map(({ variable }) => variable))
  for (const [kind, text] of Object.entries(DEPLOYMENT_TEXTS)) {
    const made = text(DEPLOYMENT)
    t.ok(made.endsWith('\n'), kind)
    t.notMatch(made, /undefined|\[object|NaN|\n\n\n/, kind)
    for (const [name] of made.matchAll(/RAAY_\w+/g)) t.ok(variables.has(name), `${kind}: ${name}`)
  }
  t.end()
})

const units = [
  ['on its own', DEPLOYMENT],
  [
    'below a home directory',
    deploymentOf(80, URL_OF_ALL, { data: '/home/raay/data', program: '/home/raay/raay' }),
  ],
] as const

for (const [where, deployment] of units) {
  const text = systemdUnit(deployment)
  t.test(
    `the service ${where} is one that systemd understands`,
    { skip: without('systemd-analyze', 'systemd') },
    t => {
      // systemd looks for the program.
      const file = join(directory, 'raay.service')
      writeFileSync(file, text.replace(/^ExecStart=\S+/m, 'ExecStart=/bin/true'))
      const verified = spawnSync('systemd-analyze', ['verify', file], { encoding: 'utf8' })
      t.same([verified.status, verified.stderr], [0, ''])
      const scored = spawnSync('systemd-analyze', ['security', '--offline=true', file], { encoding: 'utf8' })
      const [, exposure] = /Overall exposure level for raay\.service: ([\d.]+)/.exec(scored.stdout) ?? []
      t.ok(Number(exposure) <= 2, `exposure ${exposure} of 10`)
      t.end()
    },
  )
}

t.test('the service restarts after a fault, and not where a person is needed', t => {
  const text = systemdUnit(DEPLOYMENT)
  t.match(text, /^Restart=on-failure$/m)
  t.match(text, /^RestartPreventExitStatus=1 2$/m)
  t.notMatch(text, /ProcSubset=pid$/m, 'the exchange compares its clock with /proc/uptime')
  t.match(text, /^MemoryDenyWriteExecute=no$/m, 'V8 writes machine code')
  t.match(text, /^ExecReload=\/bin\/kill -HUP \$MAINPID$/m)
  t.match(text, /^StateDirectory=raay$/m)
  const [, [, elsewhere]] = units
  t.match(systemdUnit(elsewhere), /^ReadWritePaths=\/home\/raay\/data$/m)
  t.match(systemdUnit(elsewhere), /^AmbientCapabilities=CAP_NET_BIND_SERVICE$/m)
  t.end()
})

t.test('the site of Caddy with a certificate is one that Caddy understands', { skip: NO_CADDY }, t => {
  const file = join(directory, 'Caddyfile')
  writeFileSync(file, caddyfile(DEPLOYMENT))
  const env = { PATH: process.env.PATH, HOME: directory }
  const options = ['--config', file, '--adapter', 'caddyfile']
  t.equal(spawnSync('caddy', ['validate', ...options], { env }).status, 0)
  t.equal(spawnSync('caddy', ['fmt', '--diff', file], { env }).status, 0, 'it is formatted')
  t.end()
})

t.test('both proxies replace what a client says about its address', t => {
  t.match(nginxSite(DEPLOYMENT), /proxy_set_header X-Forwarded-For \$remote_addr;/)
  t.match(nginxSite(DEPLOYMENT), /listen 80;\n[^}]+return 301 https:\/\/raay\.example\.org\$request_uri;/)
  t.notMatch(nginxSite(deploymentOf(3000, 'http://raay.lan')), /ssl|301/)
  t.match(caddyfile(DEPLOYMENT), /header_up X-Forwarded-For \{remote_host\}/)
  t.end()
})

t.test('the image runs as a user of its own, and says whether it is well', async t => {
  const text = dockerfile(DEPLOYMENT).replaceAll(/ \\\n */g, ' ')
  const lines = text.split('\n').filter(line => line !== '' && !line.startsWith('#'))
  const stages = lines.filter(line => line.startsWith('FROM '))
  t.equal(stages.length, 2)
  const last = lines.slice(lines.indexOf(stages[1] ?? ''))
  const of = (instruction: string) =>
    last.filter(line => line.startsWith(`${instruction} `)).map(line => line.slice(instruction.length + 1))
  t.same(of('USER'), ['10001:10001'])
  t.notMatch(text, /^ADD |curl|sudo|:latest/m)
  t.ok(of('RUN').every(line => last.indexOf(`RUN ${line}`) < last.indexOf('USER 10001:10001')))
  t.same([JSON.parse(of('ENTRYPOINT')[0] ?? ''), JSON.parse(of('CMD')[0] ?? '')], [['raay'], ['start']])

  const server = await startTestServer(t)
  const [, probe = ''] = /CMD (\[.+\])$/.exec(of('HEALTHCHECK')[0] ?? '') ?? []
  const [node, ...argv] = JSON.parse(probe) as string[]
  t.equal(node, 'node')
  const check = (port: number) =>
    new Promise(resolve => {
      const told = argv.map(word => word.replace(':3000', `:${port}`))
      execFile(process.execPath, told, error => resolve(error === null ? 0 : error.code))
    })
  t.equal(await check(server.port), 0)
  t.equal(await check(1), 1, 'where nothing listens')
})

const Service = z.object({
  image: z.literal('raay:1.2.3'),
  init: z.literal(true),
  read_only: z.literal(true),
  ports: z.tuple([z.literal('127.0.0.1:3000:3000')]),
  cap_drop: z.tuple([z.literal('ALL')]),
  security_opt: z.tuple([z.literal('no-new-privileges:true')]),
  volumes: z.tuple([z.literal('data:/data')]),
  tmpfs: z.array(z.string().startsWith('/tmp')),
  environment: z.object({ RAAY_PUBLIC_URL: z.literal(URL_OF_ALL), RAAY_TRUSTED_PROXY: z.string() }),
  networks: z.array(z.string()),
})

t.test('the compose file reads nothing but its volume, and is reached by its proxy alone', t => {
  const made = parse(composeFile(DEPLOYMENT))
  const service = Service.parse(made.services.raay)
  t.same(service.networks, Object.keys(made.networks))
  t.same(Object.keys(made.volumes), ['data'])
  const [{ subnet, gateway }] = made.networks.raay.ipam.config
  t.equal(service.environment.RAAY_TRUSTED_PROXY, gateway)
  t.ok(gateway.startsWith(subnet.replace(/0\/24$/, '')))
  t.end()
})

const Probe = z.object({
  httpGet: z.object({ path: z.enum(['/healthz', '/readyz']), port: z.literal('http') }),
})
const Container = z.object({
  image: z.literal('raay:1.2.3'),
  ports: z.tuple([z.object({ name: z.literal('http'), containerPort: z.literal(3000) })]),
  env: z.array(z.object({ name: z.string(), value: z.string() })),
  securityContext: z.object({
    allowPrivilegeEscalation: z.literal(false),
    readOnlyRootFilesystem: z.literal(true),
    capabilities: z.object({ drop: z.tuple([z.literal('ALL')]) }),
  }),
  startupProbe: Probe,
  livenessProbe: Probe,
  readinessProbe: Probe,
  resources: z.object({
    requests: z.object({ memory: z.string() }),
    limits: z.object({ memory: z.string() }),
  }),
  volumeMounts: z.array(z.object({ name: z.string(), mountPath: z.string() })),
})
const StatefulSet = z.object({
  apiVersion: z.literal('apps/v1'),
  spec: z.object({
    replicas: z.literal(1),
    template: z.object({
      spec: z.object({
        terminationGracePeriodSeconds: z.number().min(30),
        securityContext: z.object({ runAsNonRoot: z.literal(true), runAsUser: z.literal(10_001) }),
        containers: z.tuple([Container]),
        volumes: z.array(z.object({ name: z.string() })),
      }),
    }),
    volumeClaimTemplates: z.tuple([z.object({ metadata: z.object({ name: z.string() }) })]),
  }),
})

t.test('the cluster runs one process with one volume, which nobody else reaches', t => {
  const documents = parseAllDocuments(kubernetes(DEPLOYMENT))
  t.same(
    documents.flatMap(({ errors, warnings }) => [...errors, ...warnings]),
    [],
  )
  const objects = documents.map(document => document.toJS())
  t.same(
    objects.map(({ apiVersion, kind, metadata }) => [apiVersion, kind, metadata.name]),
    [
      ['apps/v1', 'StatefulSet', 'raay'],
      ['v1', 'Service', 'raay'],
      ['policy/v1', 'PodDisruptionBudget', 'raay'],
      ['networking.k8s.io/v1', 'Ingress', 'raay'],
      ['networking.k8s.io/v1', 'NetworkPolicy', 'raay'],
    ],
  )
  const [set, service, budget, ingress, policy] = objects
  const { spec } = StatefulSet.parse(set)
  const [container] = spec.template.spec.containers
  const volumes = [
    ...spec.template.spec.volumes,
    ...spec.volumeClaimTemplates.map(({ metadata }) => metadata),
  ]
  t.same(container.volumeMounts.map(({ name }) => name).sort(), volumes.map(({ name }) => name).sort())
  t.equal(container.livenessProbe.httpGet.path, '/healthz')
  t.equal(container.readinessProbe.httpGet.path, '/readyz')
  const labels = set.spec.template.metadata.labels
  const selectors = [set.spec.selector, budget.spec.selector, policy.spec.podSelector]
  for (const { matchLabels } of selectors) t.same(matchLabels, labels)
  t.same(service.spec.selector, labels)
  t.equal(budget.spec.maxUnavailable, 0, 'a drain does not stop an exchange by the way')
  t.equal(ingress.spec.rules[0].host, 'raay.example.org')
  t.equal(ingress.spec.rules[0].http.paths[0].backend.service.port.number, service.spec.ports[0].port)
  t.end()
})
