import { fileURLToPath } from 'node:url'
import t from 'tap'
import type { House } from './fixtures/house/house.js'
import { parseSource } from './fixtures/house/house.js'
import type { Files } from './fixtures/house/planted.js'
import { ALLOWED, PLANTED } from './fixtures/house/planted.js'
import { brokenRules, rulesBrokenBy } from './fixtures/house-rules.js'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))

t.test('the house is tidy', async t => {
  const broken = brokenRules(ROOT)
  if (broken.length === 0) t.pass('no rule is broken')
  for (const message of broken) t.fail(message, { stack: '', at: null, source: '' })
})

/** The house with these files. The map and the mirror are in order where a row does not plant them. */
function build(files: Files, message: string): House {
  const paths = Object.keys(files).filter(path => path.startsWith('src/'))
  const sources = paths.map(path => parseSource(path, files[path] ?? ''))
  const map = [
    '```',
    'src/',
    ...paths.map(path => `  ${path.slice('src/'.length)}  What it is.`),
    '```',
  ].join('\n')
  const readme = files['README.md'] ?? map
  return {
    sources,
    readme: readme === '' ? undefined : readme,
    testFiles: message.startsWith('test/') ? [] : paths.map(path => path.replace('src/', 'test/')),
  }
}

/** What is wrong with a house, but for files that no row cares to import. */
function brokenIn(files: Files, message: string): string[] {
  const isAboutUse = message.includes('unused')
  return rulesBrokenBy(build(files, message)).filter(broken => isAboutUse || !broken.includes(' unused: '))
}

t.test('each broken rule is noticed, once, where it is broken', async t => {
  for (const [what, files, message] of PLANTED) {
    const broken = brokenIn(files, message)
    const isRight = broken.length === 1 && broken[0]?.startsWith(message)
    t.ok(isRight, what, { wanted: message, broken })
  }
})

t.test('what is allowed is left in peace', async t => {
  for (const [what, files] of ALLOWED) t.same(brokenIn(files, ''), [], what)
})

t.test('a house is read from its directory', async t => {
  const root = t.testdir({
    'README.md':
      '# A house\n\n```\nsrc/\n  cli/\n    main.ts  The start.\n  core/\n    a.ts     The rest.\n```\n',
    src: {
      cli: { 'main.ts': "import '../core/a.js'\nimport '../core/gone.js'\n" },
      core: { 'a.ts': 'export const a: any = 1\n' },
    },
    test: { core: { 'a.test.ts': '' } },
  })
  t.same(brokenRules(root), ['src/core/a.ts:1 any: `any`; say the type, or `unknown` and check it'])
})
