import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { withSourcePlaces } from './source-places.js'

t.test('a place in a compiled file becomes that in its source', t => {
  const { stack = '' } = new Error('thrown in this line')
  const [, line] = /\(?test\/runner\/source-places\.test\.ts:(\d+):/.exec(withSourcePlaces(stack)) ?? []
  const path = fileURLToPath(new URL('../../../test/runner/source-places.test.ts', import.meta.url))
  t.match(readFileSync(path, 'utf8').split('\n')[Number(line) - 1], /thrown in this line/)
  t.end()
})

t.test('other places, and those in files that are gone, stay as they are', t => {
  for (const text of ['node:events:524:28', 'at f (dist/test/gone.js:1:2)', 'dist/test/run.js', '1:2']) {
    t.equal(withSourcePlaces(text), text)
  }
  t.end()
})
