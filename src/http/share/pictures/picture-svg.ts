import type { PictureContent } from './picture-content.js'
import { PICTURE_HEIGHT, PICTURE_WIDTH } from './picture-content.js'
import { textLines } from './text-lines.js'
import type { Typesetter, Weight } from './typesetter.js'

const MARGIN = 64
const INK = '#16191d'
const FAINT = '#626973'
const LINE = '#e2e3de'
const TONES = { yes: '#1440b4', no: '#b2420a', plain: INK } as const
/** Sizes of a title with how many lines it may have; the first in which it fits whole is taken. */
const TITLES = [
  [66, 2],
  [56, 3],
  [46, 4],
] as const
const LEADING = 1.24
const ROUND = 'stroke-linecap="round" stroke-linejoin="round"'
const CHART = { left: 560, right: PICTURE_WIDTH - MARGIN, top: 404, bottom: 556 }

interface Place {
  readonly x: number
  /** Of the base line. */
  readonly y: number
  readonly size: number
  readonly weight: Weight
  readonly colour: string
  readonly anchor?: 'start' | 'end'
}

/** Lays a picture out: an SVG of outlines alone, without a text. */
export function pictureSvg(content: PictureContent, typesetter: Typesetter): string {
  const { site, title, headline, label, detail, color, tone, trend } = content
  const write = (text: string, place: Place) => outlines(typesetter, text, place)
  const colour = TONES[tone]
  const parts = [
    `<rect width="${PICTURE_WIDTH}" height="${PICTURE_HEIGHT}" fill="#fff"/>`,
    `<rect width="${PICTURE_WIDTH}" height="10" fill="${color}"/>`,
    sign(MARGIN, 56, color),
    write(site, { x: MARGIN + 64, y: 92, size: 34, weight: 700, colour: INK }),
    write(detail, { x: CHART.right, y: 91, size: 27, weight: 400, colour: FAINT, anchor: 'end' }),
    titleOf(title, typesetter),
    write(headline, { x: MARGIN - 4, y: 514, size: 132, weight: 700, colour }),
    write(label, { x: MARGIN, y: 562, size: 30, weight: 400, colour: FAINT }),
    chart(trend, colour),
  ]
  const size = `width="${PICTURE_WIDTH}" height="${PICTURE_HEIGHT}"`
  return `<svg xmlns="http://www.w3.org/2000/svg" ${size}>${parts.join('')}</svg>`
}

function titleOf(title: string, typesetter: Typesetter): string {
  const measure = (text: string) => typesetter.width(text, 700)
  const room = PICTURE_WIDTH - 2 * MARGIN
  const [size, countMax] =
    TITLES.find(([size, count]) => textLines(title, room / size, count + 1, measure).length <= count) ??
    TITLES[TITLES.length - 1] ??
    TITLES[0]
  return textLines(title, room / size, countMax, measure)
    .map((line, index) => {
      const y = 148 + size * (0.86 + index * LEADING)
      return outlines(typesetter, line, { x: MARGIN, y, size, weight: 700, colour: INK })
    })
    .join('')
}

function outlines(
  typesetter: Typesetter,
  text: string,
  { x, y, size, weight, colour, anchor }: Place,
): string {
  const { glyphs, width } = typesetter.set(text, weight)
  const left = anchor === 'end' ? x - width * size : x
  const paths = glyphs.map(glyph => {
    const scale = glyph.unit * size
    const place = `translate(${left + glyph.x * size} ${y - glyph.y * size}) scale(${scale} ${-scale})`
    return `<path transform="${place}" d="${glyph.outline}"/>`
  })
  return `<g fill="${colour}">${paths.join('')}</g>`
}

/** The sign of the site. */
function sign(x: number, y: number, color: string): string {
  const place = `translate(${x} ${y}) scale(1.5)`
  const stroke = `fill="none" stroke="#fff" stroke-width="3" ${ROUND}`
  const ground = `<rect width="32" height="32" rx="8" fill="${color}"/>`
  return `<g transform="${place}">${ground}<path d="M8 21l6-7 4 4 6-8" ${stroke}/></g>`
}

/** The line of the chance. */
function chart(trend: readonly number[], colour: string): string {
  const { left, right, top, bottom } = CHART
  const across = (y: number) =>
    `<line x1="${left}" x2="${right}" y1="${y}" y2="${y}" stroke="${LINE}" stroke-width="2"/>`
  const rules = [top, (top + bottom) / 2, bottom].map(across).join('')
  if (trend.length < 2) return ''
  const points = trend.map((chance, index) => {
    const x = left + ((right - left) * index) / (trend.length - 1)
    const y = bottom - (bottom - top) * Math.min(1, Math.max(0, chance))
    return `${x.toFixed(1)} ${y.toFixed(1)}`
  })
  const path = `M${points.join('L')}`
  const [endX, endY] = (points.at(-1) ?? '').split(' ')
  return [
    rules,
    `<path d="${path}L${right} ${bottom}L${left} ${bottom}Z" fill="${colour}" fill-opacity="0.08"/>`,
    `<path d="${path}" fill="none" stroke="${colour}" stroke-width="5" ${ROUND}/>`,
    `<circle cx="${endX}" cy="${endY}" r="9" fill="${colour}" stroke="#fff" stroke-width="4"/>`,
  ].join('')
}
