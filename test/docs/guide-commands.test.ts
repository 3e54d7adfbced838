import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { Test } from 'tap'
import t from 'tap'
import { startAccounts } from '../fixtures/accounts-server.js'
import type { TestServer } from '../fixtures/server-process.js'
import { startTestServer } from '../fixtures/server-process.js'

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))
const GUIDES = 'src/docs/guides'
const FILES = ['README.md', ...readdirSync(join(ROOT, GUIDES)).map(name => join(GUIDES, name))].filter(file =>
  file.endsWith('.md'),
)

/** Guides for an exchange with accounts; the others speak of one in open mode. */
const WITH_ACCOUNTS: readonly string[] = [join(GUIDES, 'operating.md')]

/** An error on stderr, where verbs also write their progress and notes about what they print. */
const ERROR = /^(?:raay|bash|curl|node|npm)\b.*:|\berror\b/im

/** The comments that may stand on the line before a block. */
const NOT_RUN = /^not run: \S/
const SECOND_TERMINAL = 'second terminal'

interface Block {
  readonly line: number
  /** Counts the headings before it. */
  readonly section: number
  readonly language: string
  /** The words of the HTML comment on the line before the block, or the empty string. */
  readonly comment: string
  readonly text: string
}

function blocksIn(markdown: string): Block[] {
  const blocks: Block[] = []
  for (const match of markdown.matchAll(/(?:^<!-- (.+) -->\n)?^```(\w+)\n([\s\S]*?)^```$/gm)) {
    const [, comment = '', language = '', text = ''] = match
    const before = markdown.slice(0, match.index)
    const section = (before.match(/^##/gm) ?? []).length
    blocks.push({ line: before.split('\n').length, section, language, comment, text })
  }
  return blocks
}

/**
 * Starts a shell in the root of the checkout, where `raay` is the bundle that the packages contain, with a
 * test server in the place of the exchange that the guides use.
 */
function shell(server: TestServer, text: string) {
  const script = `raay() { node dist/bundle/raay.js "$@"; }\n${text}`
    .replaceAll('127.0.0.1:3000', `127.0.0.1:${server.port}`)
    .replaceAll('/srv/raay', server.data)
    .replaceAll(' data/operator.key', ` ${server.data}/operator.key`)
  const child = spawn('bash', ['-ec', script], {
    cwd: ROOT,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, RAAY_URL: server.url, RAAY_DATA: server.data },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  return child
}

async function run(server: TestServer, text: string): Promise<{ code: number; out: string; error: string }> {
  const child = shell(server, text)
  const output = { out: '', error: '' }
  child.stdout.on('data', chunk => (output.out += chunk))
  child.stderr.on('data', chunk => (output.error += chunk))
  const [code] = await once(child, 'close')
  return { code, ...output }
}

/** Runs a command until the test ends, as in its own terminal. */
class SecondTerminal {
  readonly #lines: AsyncIterator<string>

  constructor(t: Test, server: TestServer, text: string) {
    const child = shell(server, text)
    t.teardown(() => child.pid !== undefined && process.kill(-child.pid, 'SIGKILL'))
    this.#lines = createInterface(child.stdout)[Symbol.asyncIterator]()
  }

  /** Waits for this many lines. */
  async read(count: number): Promise<string[]> {
    const lines: string[] = []
    while (lines.length < count) lines.push((await this.#lines.next()).value)
    return lines
  }
}

const linesOf = (text: string) => text.split('\n').filter(line => line !== '')

/** Parses a line of a guide, in which `…` stands for any value or for the rest of a string. */
function expectedOf(line: string): unknown {
  return JSON.parse(line.replaceAll(/(?<=[:,[])…/g, '"…"'))
}

const TIME_MIN = 1e12

/** Returns the answer with the guide's own values wherever they may differ: at `…`, and for times. */
function aligned(actual: unknown, expected: unknown): unknown {
  if (typeof expected === 'string' && expected.endsWith('…')) {
    return expected === '…' || String(actual).startsWith(expected.slice(0, -1)) ? expected : actual
  }
  if (typeof expected === 'number' && expected > TIME_MIN)
    return Number(actual) > TIME_MIN ? expected : actual
  if (typeof expected !== 'object' || expected === null) return actual
  if (typeof actual !== 'object' || actual === null) return actual
  const wanted = new Map(Object.entries(expected))
  const entries = Object.entries(actual).map(([key, value]) => [key, aligned(value, wanted.get(key))])
  return Array.isArray(actual) ? entries.map(([, value]) => value) : Object.fromEntries(entries)
}

function compare(t: Test, where: string, actual: readonly string[], expected: readonly string[]): void {
  t.equal(actual.length, expected.length, `${where}: as many lines as the guide shows`)
  for (const [index, line] of expected.entries()) {
    const wanted = expectedOf(line)
    t.strictSame(aligned(JSON.parse(actual[index] ?? 'null'), wanted), wanted, `${where}, line ${index + 1}`)
  }
}

t.test('every comment before a code block is one that this test understands', t => {
  for (const file of FILES) {
    for (const { line, comment } of blocksIn(readFileSync(join(ROOT, file), 'utf8'))) {
      const isKnown = comment === '' || comment === SECOND_TERMINAL || NOT_RUN.test(comment)
      t.ok(isKnown, `${file}:${line} ${comment}`)
    }
  }
  t.end()
})

for (const file of FILES) {
  const blocks = blocksIn(readFileSync(join(ROOT, file), 'utf8'))
  const runs = blocks.filter(({ language, comment }) => language === 'sh' && !NOT_RUN.test(comment))
  if (runs.length === 0) continue

  t.test(`the commands of ${file} run and print what it shows`, async t => {
    const server = await (WITH_ACCOUNTS.includes(file) ? startAccounts(t) : startTestServer(t))
    if (!runs.some(({ text }) => /events\/create|event create/.test(text))) {
      for (const title of ['The first', 'The second']) await server.client.createEvent({ title })
    }
    let second: SecondTerminal | undefined
    let answered: string[] | undefined
    let answeredIn = 0
    for (const { line, section, language, comment, text } of blocks) {
      const where = `${file}:${line}`
      if (language === 'json' && comment === SECOND_TERMINAL) {
        const expected = linesOf(text)
        compare(t, where, (await second?.read(expected.length)) ?? [], expected)
      } else if (language === 'json' && answered !== undefined && section === answeredIn) {
        compare(t, where, answered, linesOf(text))
        answered = undefined
      } else if (language === 'sh' && comment === SECOND_TERMINAL) {
        second = new SecondTerminal(t, server, text)
      } else if (language === 'sh') {
        if (NOT_RUN.test(comment)) {
          answered = undefined
          continue
        }
        const { code, out, error } = await run(server, text)
        t.equal(code, 0, where, { out, error })
        t.notMatch(error, ERROR, `${where} prints no error`)
        t.notMatch(out, /"code":40[13]/, `${where} may do what it asks for`)
        answered = linesOf(out)
        answeredIn = section
      }
    }
    t.same(server.faults, [])
    t.ok(server.exchange.moneyIsAllThere())
  })
}
