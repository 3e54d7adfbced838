import type { ChildProcess, ExecFileException } from 'node:child_process'
import { execFile, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  appendFileSync,
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { playOperationsDay } from '../fixtures/operations-day.js'
import type { Ended } from '../fixtures/raay-command.js'
import type { Teardown } from '../fixtures/server/server-directory.js'
import { dataDirectory } from '../fixtures/server/server-directory.js'

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))
const BYTES_MAX = 95_000_000
/** Newer versions of Node are larger than the limit by themselves. */
const NODE_WITHIN_LIMIT = 20
const OWN_BYTES_MAX = 6_000_000
const FUSE = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2'
const MODE_BITS = 0o777
const isRoot = process.getuid?.() === 0

interface Surroundings {
  readonly cwd: string
  readonly env?: Readonly<Record<string, string>>
}

const OUT = dataDirectory(t)
const BINARY = join(OUT, `raay-${process.platform}-${process.arch}`)
const skip = whyNotBuilt() ?? false

/** Builds the executable; returns why that is not possible here. */
function whyNotBuilt(): string | undefined {
  if (!readFileSync(process.execPath).includes(FUSE)) return 'this Node cannot become part of an executable'
  const script = join(ROOT, 'bin/build-binary.js')
  const { status, stderr } = spawnSync(process.execPath, [script, '--out', OUT], { encoding: 'utf8' })
  if (/the licence of .* is not at/.test(stderr)) return stderr
  if (status !== 0) throw new Error(stderr)
  return undefined
}

/** Runs the executable until it ends, without any variable but those given. */
function run(argv: readonly string[], { cwd, env = {} }: Surroundings): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const done = (error: ExecFileException | null, stdout: string, stderr: string) => {
      const code = error === null ? 0 : error.code
      if (typeof code === 'number') resolve({ code, stdout, stderr })
      else reject(error)
    }
    execFile(BINARY, [...argv], { cwd, env }, done)
  })
}

/** Starts an exchange, and resolves to its address. */
async function start(t: Teardown, { cwd, env = {} }: Surroundings, ...flags: readonly string[]) {
  const child = spawn(BINARY, ['start', '--port', '0', ...flags], {
    cwd,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let stderr = ''
  child.stderr.setEncoding('utf8').on('data', text => {
    stderr += text
  })
  const ended = once(child, 'close')
  t.teardown(() => end(child, 'SIGKILL'))
  const ready = async () => {
    for await (const line of createInterface(child.stdout)) {
      const [, url] = /is ready on (http:\S+)/.exec(line) ?? []
      if (url !== undefined) return url
    }
    throw new Error(`the exchange ended: ${stderr}`)
  }
  const url = await ready()
  child.stdout.resume()
  return { url, stop: (signal: NodeJS.Signals) => end(child, signal).then(() => ended) }
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exit = once(child, 'exit')
  child.kill(signal)
  await exit
}

/** The one directory that was unpacked below another. */
function bundleIn(cache: string): string {
  const [name = '', ...others] = readdirSync(cache)
  if (others.length > 0) throw new Error(`${cache} has more than one bundle`)
  return join(cache, name)
}

/** Paths, modes and contents of all files. */
function imageOf(directory: string): Map<string, string> {
  const entries = readdirSync(directory, { recursive: true, withFileTypes: true })
  const rows = entries.map(entry => {
    const path = join(entry.parentPath, entry.name)
    const mode = (statSync(path).mode & MODE_BITS).toString(8)
    return [path, entry.isFile() ? `${mode} ${readFileSync(path, 'latin1')}` : mode] as const
  })
  return new Map(rows.sort())
}

t.test('it is small, has its checksum beside it, and says what is inside', { skip }, async t => {
  const { size } = statSync(BINARY)
  t.ok(size < statSync(process.execPath).size + OWN_BYTES_MAX, `${size} bytes with this Node`)
  const isStripped = spawnSync('strip', ['--version']).status === 0
  if (isStripped && Number.parseInt(process.versions.node, 10) === NODE_WITHIN_LIMIT) t.ok(size < BYTES_MAX)
  const cwd = dataDirectory(t)
  const check = spawnSync('sha256sum', ['--check', 'SHA256SUMS'], { cwd: OUT, encoding: 'utf8' })
  t.equal(check.status, 0, check.stderr)
  const env = { TMPDIR: dataDirectory(t) }
  t.match(await run(['version'], { cwd, env }), { code: 0, stdout: ` node ${process.version}\n`, stderr: '' })
  t.same(readdirSync(cwd), [], 'asking for the version leaves nothing where it is asked')
  const { stdout } = await run(['licences'], { cwd, env })
  for (const name of ['Raay\n', 'Node.js ', 'better-sqlite3 ', '- V8, ', '\nhono ', '\npreact '])
    t.match(stdout, name)
})

t.test('a whole day, from an empty directory and without any variable', { skip }, async t => {
  const cwd = dataDirectory(t)
  const raay = async (line: string, ...more: readonly string[]) => {
    const { code, stdout, stderr } = await run([...line.split(' '), ...more], { cwd })
    t.equal(code, 0, `raay ${line}: ${stderr}`)
    return stdout
  }
  const first = await start(t, { cwd })
  const [code] = /\d{7}/.exec(await raay(`event create Rain? --end +2d --url ${first.url}`)) ?? []
  await raay(`order place ${code} buy 10 @ 6.5 --user asha --url ${first.url}`)
  t.match(await raay(`order place ${code} sell 4 @ 6.2 --user ravi --url ${first.url}`), '4')
  await first.stop('SIGKILL')

  const second = await start(t, { cwd })
  const book = JSON.parse(await raay(`book ${code} --once --json --url ${second.url}`))
  t.match(book, { bids: [[6.5, 6]] }, 'the book is what it was before the kill')
  t.match(await raay('verify'), 'The file is in order')
  t.match(
    await fetch(second.url, { headers: { Accept: 'text/html' } }).then(page => page.text()),
    '<!doctype html>',
  )
  const own = join(bundleIn(join(cwd, 'data/.cache')), 'verify-process.js')
  const report = await run([own, join(cwd, 'data/raay.db')], { cwd: '/' })
  t.match(JSON.parse(report.stdout), { ok: true }, 'it starts its own scripts with itself')
  t.match(await raay('bench --orders 20 --connections 2 --json --dir', cwd), '"orders":20')
  await second.stop('SIGTERM')
  t.same(readdirSync(cwd), ['data'], 'everything is in the data directory')
  t.equal(statSync(join(cwd, 'data/.cache')).mode & MODE_BITS, 0o700)
})

t.test('a day in operations, from an empty directory to one that was restored', t =>
  playOperationsDay(t, skip === false ? [BINARY] : [process.execPath, join(ROOT, 'bin/raay.js')]),
)

t.test('first runs at the same time unpack the same, and none sees half of it', { skip }, async t => {
  const cwd = dataDirectory(t)
  const env = { RAAY_CACHE: join(cwd, 'cache') }
  const runs = await Promise.all([1, 2, 3].map(() => run(['version'], { cwd, env })))
  for (const { code, stderr } of runs) t.same([code, stderr], [0, ''])
  const image = imageOf(env.RAAY_CACHE)
  t.same(
    [...image.keys()].filter(path => path.endsWith('.tmp')),
    [],
  )
  t.same(
    [...image.values()].filter(text => !/^[67]00\b/.test(text)),
    [],
    'others can read nothing',
  )
  await run(['version'], { cwd, env })
  t.same(imageOf(env.RAAY_CACHE), image)
})

t.test('a cache that was changed is mended before anything of it runs', { skip }, async t => {
  const cwd = dataDirectory(t)
  const cache = join(cwd, 'cache')
  const version = () => run(['version', `--cache=${cache}`], { cwd })
  const { stdout } = await version()
  const bundle = bundleIn(cache)
  const image = imageOf(cache)
  const program = join(bundle, 'raay.js')
  const addon = join(bundle, 'node_modules/better-sqlite3/better_sqlite3.node')
  const elsewhere = join(cwd, 'elsewhere.js')
  writeFileSync(elsewhere, "console.log('not ours')")
  const damages: readonly (readonly [string, () => void])[] = [
    ['a longer program', () => appendFileSync(program, "console.log('not ours')")],
    [
      'another program of the same length',
      () => writeFileSync(program, readFileSync(program, 'utf8').replace('raay help', 'raay oops')),
    ],
    ['an addon that was cut', () => truncateSync(addon, 1000)],
    ['a missing page', () => rmSync(join(bundle, 'pages/trade.html'))],
    ['a missing directory', () => rmSync(join(bundle, 'node_modules'), { recursive: true })],
    ['a program that others may write', () => chmodSync(program, 0o666)],
    [
      'a link to another program',
      () => {
        rmSync(program)
        symlinkSync(elsewhere, program)
      },
    ],
    ...(isRoot ? [['a program of another user', () => chownSync(program, 1234, 1234)] as const] : []),
  ]
  for (const [what, damage] of damages) {
    damage()
    t.same(await version(), { code: 0, stdout, stderr: '' }, what)
    t.same(imageOf(cache), image, `${what}: as it was`)
    t.equal(statSync(program).uid, process.getuid?.())
  }
})

t.test('a cache that another user could change is not used', { skip }, async t => {
  const cwd = dataDirectory(t)
  const env = { TMPDIR: dataDirectory(t) }
  const open = join(cwd, 'open')
  mkdirSync(join(open, 'cache'), { recursive: true })
  for (const [what, change] of [
    ['the directory', () => chmodSync(join(open, 'cache'), 0o777)],
    [
      'the one above',
      () => {
        chmodSync(join(open, 'cache'), 0o700)
        chmodSync(open, 0o777)
      },
    ],
  ] as const) {
    change()
    const { code, stderr } = await run(['version', '--cache', join(open, 'cache')], { cwd, env })
    t.equal(code, 0, what)
    t.match(stderr, /^raay: --cache \S+open\/cache: .*others may write to.*; using \S+ instead\n$/, what)
    t.same(readdirSync(join(open, 'cache')), [], what)
  }
})

t.test(
  'a directory from which nothing may be run is passed over, and the message says what to allow',
  async t => {
    const cwd = dataDirectory(t)
    const mounted = join(cwd, 'mounted')
    mkdirSync(mounted)
    const options = ['-t', 'tmpfs', '-o', 'noexec,size=32m', 'tmpfs', mounted]
    if (!isRoot || spawnSync('mount', options).status !== 0) {
      t.pass('skipped: nothing can be mounted here')
      return
    }
    t.teardown(() => spawnSync('umount', [mounted]))
    const nowhere = { XDG_CACHE_HOME: mounted, TMPDIR: mounted }

    const { code, stderr } = await run(['version'], { cwd, env: nowhere })
    t.equal(code, 1)
    t.match(
      stderr,
      /^raay: no directory to unpack into\. .*noexec.*--cache or RAAY_CACHE.*\n {2}XDG_CACHE_HOME \S+: /,
    )
    t.equal(stderr.includes('    at '), false, 'no stack')
    t.same(readdirSync(mounted), [], 'nothing stays there')

    const exchange = await start(t, { cwd, env: nowhere }, '--data', 'data')
    t.ok(existsSync(join(cwd, 'data/.cache')), 'the data directory allows it')
    await exchange.stop('SIGTERM')
  },
)

t.test('it runs no script but its own', { skip }, async t => {
  const cwd = dataDirectory(t)
  const cache = join(cwd, 'cache')
  const script = join(cwd, 'raay.js')
  writeFileSync(script, "console.log('not ours')")
  const { code, stdout } = await run([script, '--cache', cache], { cwd })
  t.same([code, stdout], [2, ''])
  const beside = join(bundleIn(cache), 'not-ours.js')
  writeFileSync(beside, "console.log('not ours')")
  t.match(await run([beside, '--cache', cache], { cwd }), { code: 2, stdout: '' })
})

t.test('what cannot be built is refused with what to do', { skip }, async t => {
  const build = (...argv: readonly string[]) =>
    spawnSync(process.execPath, [join(ROOT, 'bin/build-binary.js'), '--out', dataDirectory(t), ...argv], {
      encoding: 'utf8',
    })
  const other = process.arch === 'x64' ? 'arm64' : 'x64'
  t.match(build('--arch', other), { status: 1, stderr: /^build-binary: .* name another with --node\n$/ })
  t.match(build('--node', join(ROOT, 'package.json')), { status: 1, stderr: /does not say which Node it is/ })
})
