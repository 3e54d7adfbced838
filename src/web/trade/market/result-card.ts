import { siteName } from '../../kit/page-site.js'

const WIDTH = 1200
const HEIGHT = 630
const MARGIN = 80
const TITLE_LINES_MAX = 3
const GAIN = '#12703c'
const LOSS = '#b3261e'

/** The words of a card. */
interface CardTexts {
  readonly title: string
  /** The result of the market. */
  readonly result: string
  /** The profit or loss. */
  readonly gain: string
  readonly isGain: boolean
  /** The chance at which the user called it; empty if that cannot be said. */
  readonly called: string
}

/** Draws a picture of a user’s result in a market, to share. */
export async function drawResultCard(texts: CardTexts): Promise<Blob> {
  const canvas = document.createElement('canvas')
  canvas.width = WIDTH
  canvas.height = HEIGHT
  const ctx = canvas.getContext('2d')
  if (ctx === null) throw new Error('this browser draws no pictures')
  await document.fonts.ready
  const { fontFamily } = getComputedStyle(document.body)
  ctx.fillStyle = '#ffffff'
  ctx.fillRect(0, 0, WIDTH, HEIGHT)
  ctx.fillStyle = texts.isGain ? GAIN : LOSS
  ctx.fillRect(0, 0, 16, HEIGHT)
  ctx.textBaseline = 'alphabetic'
  ctx.font = `700 150px ${fontFamily}`
  ctx.fillText(texts.gain, MARGIN, 250, WIDTH - 2 * MARGIN)
  ctx.fillStyle = '#4c535c'
  ctx.font = `500 44px ${fontFamily}`
  const facts = [texts.result, texts.called].filter(fact => fact !== '').join(' · ')
  ctx.fillText(facts, MARGIN, 325, WIDTH - 2 * MARGIN)
  ctx.fillStyle = '#16191d'
  ctx.font = `650 52px ${fontFamily}`
  for (const [index, line] of linesOf(ctx, texts.title).entries())
    ctx.fillText(line, MARGIN, 410 + index * 62)
  ctx.fillStyle = '#1b4fd0'
  ctx.font = `700 36px ${fontFamily}`
  ctx.textAlign = 'right'
  ctx.fillText(siteName, WIDTH - MARGIN, 90)
  return new Promise((resolve, reject) => {
    canvas.toBlob(blob => (blob === null ? reject(new Error('no picture was made')) : resolve(blob)))
  })
}

/** Breaks a title into lines; what does not fit ends in an ellipsis. */
function linesOf(ctx: CanvasRenderingContext2D, title: string): string[] {
  const lines = ['']
  for (const word of title.split(/\s+/)) {
    const longer = `${lines.at(-1)} ${word}`.trim()
    if (ctx.measureText(longer).width <= WIDTH - 2 * MARGIN) lines[lines.length - 1] = longer
    else if (lines.length < TITLE_LINES_MAX) lines.push(word)
    else {
      lines[lines.length - 1] += '…'
      break
    }
  }
  return lines
}
