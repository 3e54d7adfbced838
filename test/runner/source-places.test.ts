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

t.test('a place in quotes is found, and a text without one is soon read, however long its words', t => {
  const { stack = '' } = new Error('thrown in this line')
  const [place = ''] = /dist\/test\/[^\s()]+:\d+:\d+/.exec(stack) ?? []
  t.match(withSourcePlaces(`["${place}"]`), /^\["test\/runner\/source-places\.test\.ts:\d+:\d+"\]$/)
  for (const part of ['a', 'a/', 'dist/src/']) {
    const long = part.repeat(4_000_000 / part.length)
    t.equal(withSourcePlaces(long) === long, true, part)
  }
  t.end()
})

t.test('other places, and those in files that are gone, stay as they are', t => {
  for (const text of ['node:events:524:28', 'at f (dist/test/gone.js:1:2)', 'dist/test/run.js', '1:2']) {
    t.equal(withSourcePlaces(text), text)
  }
  t.end()
})
