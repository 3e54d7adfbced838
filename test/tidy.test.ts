import { fileURLToPath } from 'node:url'
import t from 'tap'
import type { House } from './fixtures/house/house.js'
import { parseSource, roomsOf } from './fixtures/house/house.js'
import type { Files } from './fixtures/house/planted.js'
import { ALLOWED, PLANTED, ROOM_README } from './fixtures/house/planted.js'
import { brokenRules, rulesBrokenBy } from './fixtures/house-rules.js'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))

t.test('the house is tidy', async t => {
  const broken = brokenRules(ROOT)
  if (broken.length === 0) t.pass('no rule is broken')
  for (const message of broken) t.fail(message, { stack: '', at: null, source: '' })
})

/** Builds a house with these files. Map and mirror are correct unless a row plants them. */
function build(files: Files, message: string): House {
  const paths = Object.keys(files).filter(path => path.startsWith('src/') && !path.endsWith('README.md'))
  const sources = paths.map(path => parseSource(path, files[path] ?? ''))
  const rooms = roomsOf(sources)
  const roomReadmes = new Map<string, string>()
  for (const folder of rooms) {
    const text = files[`${folder}README.md`] ?? ROOM_README
    if (text !== '') roomReadmes.set(folder, text)
  }
  const readme = files['README.md'] ?? rooms.map(folder => `[room](${folder}README.md)`).join('\n')
  return {
    sources,
    rooms,
    readme: readme === '' && 'README.md' in files ? undefined : readme,
    roomReadmes,
    testFiles: message.startsWith('test/') ? [] : paths.map(path => path.replace('src/', 'test/')),
    testTexts: new Map(Object.entries(files).filter(([path]) => path.startsWith('test/'))),
  }
}

/** Returns the broken rules of a house, ignoring files that nothing imports. */
function brokenIn(files: Files, message: string): string[] {
  const isAboutUse = message.includes('unused')
  return rulesBrokenBy(build(files, message)).filter(broken => isAboutUse || !broken.includes(' unused: '))
}

t.test('each broken rule is reported once, where it is broken', async t => {
  for (const [what, files, message] of PLANTED) {
    const broken = brokenIn(files, message)
    const isRight = broken.length === 1 && broken[0]?.startsWith(message)
    t.ok(isRight, what, { wanted: message, broken })
  }
})

t.test('permitted code is not reported', async t => {
  for (const [what, files] of ALLOWED) t.same(brokenIn(files, ''), [], what)
})

t.test('reads a house from its directory', async t => {
  const root = t.testdir({
    'README.md': '# A house\n\n[cli](src/cli/README.md) [core](src/core/README.md)\n',
    src: {
      cli: { 'raay.ts': "import '../core/a.js'\nimport '../core/gone.js'\n", 'README.md': ROOM_README },
      core: { 'a.ts': 'export const a = Date.now()\n', 'README.md': ROOM_README },
    },
    test: { core: { 'a.test.ts': '' } },
  })
  t.same(brokenRules(root), [
    'src/core/a.ts:1 pure: `Date.now`; core and engine know no clock, no randomness and no network; take the value as an argument',
  ])
})
