import { fileURLToPath } from 'node:url'
import type { Worker } from 'node:worker_threads'
import t from 'tap'
import type { PictureContent } from '../../../src/http/share/pictures/picture-content.js'
import { PICTURE_HEIGHT, PICTURE_WIDTH } from '../../../src/http/share/pictures/picture-content.js'
import type { PictureDrawing, Png } from '../../../src/http/share/pictures/picture-maker.js'
import { PictureMaker } from '../../../src/http/share/pictures/picture-maker.js'
import { textLines } from '../../../src/http/share/pictures/text-lines.js'

const FILES = fileURLToPath(new URL('../../../src/http/pages/pages', import.meta.url))
const MINUTE_MS = 60_000
const CONTENT: PictureContent = {
  site: 'Raay',
  title: 'Will it rain?',
  headline: '62%',
  label: 'chance of YES',
  detail: 'Closes 30 Nov 2026',
  color: '#1b4fd0',
  tone: 'yes',
  trend: [0.2, 0.6],
}
const titled = (title: string): PictureContent => ({ ...CONTENT, title })

/** Draws when the test asks for it. */
class HeldDrawing implements PictureDrawing {
  readonly asked: string[] = []
  readonly #waiting: (() => void)[] = []
  running = 0
  runningMax = 0
  isClosed = false

  async draw({ title }: PictureContent): Promise<Png> {
    this.asked.push(title)
    this.running++
    this.runningMax = Math.max(this.runningMax, this.running)
    await new Promise<void>(resolve => this.#waiting.push(resolve))
    this.running--
    if (title === 'broken') throw new Error('cannot be drawn')
    return new Uint8Array(1000)
  }

  async close(): Promise<void> {
    this.isClosed = true
  }

  /** Finishes pictures until none is under way. */
  async finish(made: readonly Promise<unknown>[]): Promise<void> {
    let isOver = false
    const all = Promise.all(made).then(() => {
      isOver = true
    })
    while (!isOver) {
      this.#waiting.shift()?.()
      await new Promise(setImmediate)
    }
    await all
  }
}

function open(options: { readonly bytesMax?: number; readonly waitingMax?: number } = {}) {
  const drawing = new HeldDrawing()
  let now = 0
  const maker = new PictureMaker({ directory: '', watch: () => now, open: () => drawing, ...options })
  const pass = (minutes: number) => {
    now += minutes * MINUTE_MS
  }
  return { drawing, maker, pass }
}

t.test('draws a picture in Latin and Devanagari letters, and leaves out what no font has', async t => {
  const maker = new PictureMaker({ directory: FILES, watch: () => 0 })
  t.teardown(() => maker.close())
  const sizes = new Set<number>()
  const titles = [
    'Will it rain?',
    'क्या कल बारिश होगी?',
    '<script>alert(1)</script> & "x" \u0000\ud800 🎉 தமிழ்',
    'W'.repeat(300),
    '',
  ]
  for (const title of titles) {
    const png = await maker.picture(titled(title))
    const view = Buffer.from(png ?? [])
    t.equal(view.toString('latin1', 1, 4), 'PNG', title)
    t.same([view.readUInt32BE(16), view.readUInt32BE(20)], [PICTURE_WIDTH, PICTURE_HEIGHT])
    sizes.add(view.length)
  }
  t.equal(sizes.size, titles.length, 'each looks different')
})

t.test('gives no picture where the library is missing, and does not fail', async t => {
  const maker = new PictureMaker({ directory: t.testdir(), watch: () => 0 })
  t.teardown(() => maker.close())
  t.equal(await maker.picture(CONTENT), undefined)
})

t.test('a thread that dies with nothing to draw ends nothing, and the next picture gets another', async t => {
  const maker = new PictureMaker({ directory: FILES, watch: () => 0 })
  t.teardown(() => maker.close())
  const threads: Worker[] = []
  const note = (thread: Worker) => threads.push(thread)
  process.on('worker', note)
  t.teardown(() => process.off('worker', note))
  t.ok(await maker.picture(titled('First')))
  t.equal(threads.length, 1)
  t.doesNotThrow(() => threads[0]?.emit('error', new Error('out of memory')))
  await threads[0]?.terminate()
  t.ok(await maker.picture(titled('Second')))
  t.equal(threads.length, 2)
})

t.test('draws one picture at a time, and each once', async t => {
  const { drawing, maker } = open()
  const made = ['a', 'b', 'a', 'c'].map(title => maker.picture(titled(title)))
  await drawing.finish(made)
  t.equal(drawing.runningMax, 1)
  t.same(drawing.asked, ['a', 'b', 'c'])
  t.ok(await maker.picture(titled('a')), 'it is kept')
  t.same(drawing.asked, ['a', 'b', 'c'])
})

t.test('turns pictures away while too many wait', async t => {
  const { drawing, maker } = open({ waitingMax: 3 })
  const made = ['a', 'b', 'c'].map(title => maker.picture(titled(title)))
  t.equal(await maker.picture(titled('d')), undefined)
  await drawing.finish(made)
  t.notOk(drawing.asked.includes('d'))
})

t.test('keeps no more bytes than it may', async t => {
  const { drawing, maker } = open({ bytesMax: 3500 })
  for (let index = 0; index < 10; index++) await drawing.finish([maker.picture(titled(String(index)))])
  t.equal(maker.bytes, 3000)
})

t.test('goes on after a picture that cannot be drawn, and pauses after three in a row', async t => {
  const { drawing, maker, pass } = open()
  const broken = maker.picture(titled('broken'))
  await drawing.finish([broken])
  t.equal(await broken, undefined)
  t.ok(drawing.isClosed, 'its thread ends')
  const next = maker.picture(titled('a'))
  await drawing.finish([next])
  t.ok(await next)
  for (let index = 0; index < 3; index++) await drawing.finish([maker.picture(titled('broken'))])
  t.equal(await maker.picture(titled('b')), undefined)
  t.ok(await maker.picture(titled('a')), 'what it has stays')

  // Draws nothing for a minute, then tries one; after each failure it waits twice as long, up to an hour.
  for (const minutes of [1, 2, 4, 8, 16, 32, 60, 60]) {
    const before = drawing.asked.length
    pass(minutes - 0.01)
    t.equal(await maker.picture(titled('b')), undefined, `not within ${minutes} minutes`)
    t.equal(drawing.asked.length, before)
    pass(0.01)
    await drawing.finish([maker.picture(titled('broken')), maker.picture(titled('c'))])
    t.equal(drawing.asked.length, before + 1, 'what waited behind it waits, too')
  }
  pass(60)
  const last = maker.picture(titled('b'))
  await drawing.finish([last])
  t.ok(await last, 'and draws again')
  for (let index = 0; index < 2; index++) await drawing.finish([maker.picture(titled('broken'))])
  const after = maker.picture(titled('d'))
  await drawing.finish([after])
  t.ok(await after, 'the failures before count no more')
})

t.test('draws nothing once it is closed', async t => {
  const { drawing, maker } = open()
  await maker.close()
  t.equal(await maker.picture(CONTENT), undefined)
  t.same(drawing.asked, [])
})

t.test('breaks a title into lines that fit, and cuts the rest', async t => {
  const measure = (text: string) => text.length
  t.same(textLines('one two three', 8, 3, measure), ['one two', 'three'])
  t.same(textLines('one two three four five', 8, 2, measure), ['one two', 'three…'])
  t.same(textLines('abcdefghijkl', 5, 3, measure), ['abcde', 'fghij', 'kl'])
  t.same(textLines('  ', 5, 3, measure), [])
  for (const line of textLines('x'.repeat(300), 10, 4, measure)) t.ok(line.length <= 10, line)
})
