import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import ts from 'typescript'

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))
const GUIDES = join(ROOT, 'src/docs/guides')
const IMPORT = "import { RaayClient } from 'raay/client'"
/** A sample may be JavaScript that leaves types out, but not one that misuses the client. */
const OPTIONS: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2023,
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  strictNullChecks: true,
  noEmit: true,
  skipLibCheck: true,
  types: ['node'],
}

/** Returns the samples of all guides that use the client. */
function samplesIn(guide: string): string[] {
  const text = readFileSync(join(GUIDES, guide), 'utf8')
  const blocks = [...text.matchAll(/^```(?:js|ts)\n([\s\S]*?)^```$/gm)].map(([, code = '']) => code)
  return blocks.filter(code => code.includes('RaayClient'))
}

/** Returns what the compiler says about a program that stands in the checkout, where `raay/client` is found. */
function faultsIn(name: string, code: string): string[] {
  const folder = join(ROOT, 'dist/samples')
  mkdirSync(folder, { recursive: true })
  const file = join(folder, `${name}.mts`)
  const own = 'declare function freshTokenOfMyProvider(): Promise<string>\n'
  writeFileSync(file, `${code.includes(IMPORT) ? '' : `${IMPORT}\n`}${own}${code}\nexport {}\n`)
  const program = ts.createProgram([file], OPTIONS)
  return ts
    .getPreEmitDiagnostics(program)
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'))
}

t.test('every sample of the guides that uses the client compiles with its types', t => {
  let count = 0
  for (const guide of readdirSync(GUIDES).filter(name => name.endsWith('.md'))) {
    for (const code of samplesIn(guide)) {
      count++
      t.same(faultsIn(`sample-${count}`, code), [], `${guide}: ${code.slice(0, 60)}`)
    }
  }
  t.ok(count >= 2, `${count} samples`)
  const wrong = `${IMPORT}\nnew RaayClient({ url: '' }).trading.replaceQuotes(1, [{ offer_type: 'hold' }])`
  t.equal(faultsIn('wrong', wrong).length > 0, true, 'the compiler sees the types of the client')
  t.end()
})
