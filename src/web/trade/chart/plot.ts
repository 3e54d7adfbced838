/** Room beside the plot, in pixels; on the right it depends on the labels. */
const TOP = 10
const LEFT = 18
const BOTTOM = 42

interface Area {
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
}

export interface Scales {
  /** In ms since 1970. */
  readonly time: readonly [from: number, to: number]
  readonly percent: readonly [low: number, high: number]
}

/** A plot to draw on, in pixels of the page, however many the screen has for one. */
export interface Plot {
  readonly ctx: CanvasRenderingContext2D
  readonly area: Area
  readonly scales: Scales
  xOf(atMs: number): number
  yOf(percent: number): number
}

interface PlotOptions {
  readonly height: number
  /** The room of the labels on the right. */
  readonly right: number
  readonly scales: () => Scales
  readonly draw: (plot: Plot) => void
  /** Called with the moment under the pointer, or undefined when it leaves. */
  readonly onPointer: (atMs: number | undefined) => void
}

/** A canvas as wide as its place, above it a line and a dot that mark a point. */
export class PlotCanvas {
  readonly #place: HTMLElement
  readonly #options: PlotOptions
  readonly #canvas = document.createElement('canvas')
  readonly #over = document.createElement('div')
  readonly #line = document.createElement('i')
  readonly #dot = document.createElement('i')
  readonly #observer = new ResizeObserver(() => this.draw())
  #plot: Plot | undefined

  constructor(place: HTMLElement, options: PlotOptions) {
    this.#place = place
    this.#options = options
    this.#over.className = 'plot-over'
    this.#line.className = 'plot-line'
    this.#dot.className = 'plot-dot'
    this.#over.append(this.#line, this.#dot)
    const follow = ({ offsetX, target }: PointerEvent) => {
      if (target === this.#over) options.onPointer(this.#momentAt(offsetX))
    }
    // A finger moves the line as well; up and down still scroll the page.
    this.#over.addEventListener('pointerdown', follow)
    this.#over.addEventListener('pointermove', follow)
    this.#over.addEventListener('pointerleave', ({ pointerType }) => {
      if (pointerType === 'mouse') options.onPointer(undefined)
    })
    place.append(this.#canvas, this.#over)
    this.draw()
    this.#observer.observe(place)
  }

  draw(): void {
    const { height, right, scales, draw } = this.#options
    const width = this.#place.clientWidth
    const ratio = devicePixelRatio
    const canvas = this.#canvas
    canvas.width = Math.round(width * ratio)
    canvas.height = Math.round(height * ratio)
    Object.assign(canvas.style, { width: `${width}px`, height: `${height}px` })
    const area = { left: LEFT, top: TOP, width: width - LEFT - right, height: height - TOP - BOTTOM }
    const px = (length: number) => `${length}px`
    Object.assign(this.#over.style, {
      left: px(area.left),
      top: px(area.top),
      width: px(Math.max(0, area.width)),
      height: px(area.height),
    })
    const ctx = canvas.getContext('2d')
    if (ctx === null || area.width <= 0) return
    ctx.setTransform(ratio, 0, 0, ratio, 0, 0)
    const now = scales()
    const [from, to] = now.time
    const [low, high] = now.percent
    this.#plot = {
      ctx,
      area,
      scales: now,
      xOf: at => area.left + ((at - from) / (to - from)) * area.width,
      yOf: percent => area.top + ((high - percent) / (high - low)) * area.height,
    }
    draw(this.#plot)
  }

  /** Marks a point with a line and a dot, or removes them. */
  mark(point: { readonly at: number; readonly percent: number } | undefined): void {
    const isShown = point !== undefined && this.#plot !== undefined
    this.#over.classList.toggle('plot-marked', isShown)
    if (!isShown || this.#plot === undefined) return
    const { area, xOf, yOf } = this.#plot
    const [x, y] = [xOf(point.at) - area.left, yOf(point.percent) - area.top]
    this.#line.style.translate = `${x}px`
    this.#dot.style.translate = `${x}px ${y}px`
  }

  destroy(): void {
    this.#observer.disconnect()
    this.#canvas.remove()
    this.#over.remove()
  }

  #momentAt(x: number): number | undefined {
    if (this.#plot === undefined) return undefined
    const { area, scales } = this.#plot
    const [from, to] = scales.time
    return from + (x / area.width) * (to - from)
  }
}
