import t from 'tap'
import { ExpectedLine } from '../../src/verify/stored/expected-line.js'
import { hashText, LINE_START, lineHash } from '../../src/verify/stored/line-hash.js'
import { Dice } from '../fixtures/dice.js'

const dice = Dice.fromEnvironment(t)
const EDGES = [0, 1, 9, 10, 100, 999_999_999, 1e9, 2 ** 31, 2 ** 32 - 1, 2 ** 32, 2 ** 32 + 1]
const FAR = [1e14, 1e15 - 1, 1e15, 1e15 + 1, 2 ** 53 - 1, 1e21, 0.5, 1e-7]
const TEXTS = ['', '0', '007', '65', 'A', '1234567890', '100200300400500600700', 'x1y02', '-5', 'é९9']

function randomCell(): number | string {
  const sign = dice.percent(30) ? -1 : 1
  if (dice.percent(50)) return sign * Math.floor(10 ** (dice.between(0, 1590) / 100))
  return dice.percent(50) ? sign * dice.oneOf([...EDGES, ...FAR] as [number]) : dice.oneOf(TEXTS as [string])
}

t.test('a line written by cells has the hash of its text', async t => {
  const line = new ExpectedLine()
  const wrong: string[] = []
  for (let round = 0; round < 20_000; round++) {
    line.begin(true)
    for (let cells = dice.between(1, 6); cells > 0; cells--) {
      if (dice.percent(30)) line.optional(dice.percent(30) ? null : randomCell())
      else line.cell(randomCell())
    }
    const { hash, text = '' } = line
    if (hash !== lineHash(hashText(LINE_START, text))) wrong.push(text)
  }
  t.same(wrong, [])
})

t.test('lines that differ in one character have different hashes', async t => {
  const same: string[][] = []
  const units = [...'0123456789-=,x\u001f']
  for (let round = 0; round < 2000; round++) {
    const text = Array.from({ length: dice.between(1, 40) }, () => dice.oneOf(units as [string])).join('')
    const hash = hashText(LINE_START, text)
    for (let at = 0; at < text.length; at++) {
      const unit = dice.oneOf(units as [string])
      const other = `${text.slice(0, at)}${unit}${text.slice(at + 1)}`
      const shorter = `${text.slice(0, at)}${text.slice(at + 1)}`
      for (const changed of [other, shorter]) {
        if (changed !== text && hashText(LINE_START, changed) === hash) same.push([text, changed])
      }
    }
  }
  t.same(same, [])
})
