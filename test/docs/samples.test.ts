import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))
const GUIDES = join(ROOT, 'src/docs/guides')
/** Within the checkout, where `raay/client` is found. */
const FOLDER = join(ROOT, 'dist/samples')
const IMPORT = "import { RaayClient } from 'raay/client'\n"
/** The functions that samples leave to the reader. */
const READERS = 'declare function freshTokenOfMyProvider(): Promise<string>\n'
/** A sample may be JavaScript that leaves types out, but not one that misuses the client. */
const OPTIONS = {
  target: 'es2023',
  module: 'nodenext',
  strict: false,
  strictNullChecks: true,
  noEmit: true,
  skipLibCheck: true,
  types: ['node'],
}

/** Returns the samples of a guide that use the client. */
function samplesIn(guide: string): string[] {
  const text = readFileSync(join(GUIDES, guide), 'utf8')
  const blocks = [...text.matchAll(/^```(?:js|ts)\n([\s\S]*?)^```$/gm)].map(([, code = '']) => code)
  return blocks.filter(code => code.includes('RaayClient'))
}

/** Returns the lines that the compiler writes about programs. */
function faultsIn(programs: readonly string[]): string[] {
  rmSync(FOLDER, { recursive: true, force: true })
  mkdirSync(FOLDER, { recursive: true })
  for (const [index, code] of programs.entries()) {
    const whole = code.includes(IMPORT) ? READERS + code : IMPORT + READERS + code
    writeFileSync(join(FOLDER, `sample-${index}.mts`), `${whole}\nexport {}\n`)
  }
  writeFileSync(
    join(FOLDER, 'tsconfig.json'),
    JSON.stringify({ compilerOptions: OPTIONS, include: ['*.mts'] }),
  )
  const { stdout } = spawnSync(join(ROOT, 'node_modules/.bin/tsc'), ['-p', FOLDER], { encoding: 'utf8' })
  return stdout.split('\n').filter(line => line !== '')
}

t.test('every sample of the guides that uses the client compiles with its types', t => {
  const guides = readdirSync(GUIDES).filter(name => name.endsWith('.md'))
  const samples = guides.flatMap(samplesIn)
  t.ok(samples.length >= 2, `${samples.length} samples`)
  const wrong = "new RaayClient({ url: '' }).trading.replaceQuotes(1, [])"
  const [fault, ...others] = faultsIn([...samples, wrong])
  t.match(fault, `sample-${samples.length}.mts`, 'the compiler sees the types of the client')
  t.same(others, [])
  t.end()
})
