type Rgb = readonly [red: number, green: number, blue: number]

/** The ground of cards in the dark theme. */
const DARK_GROUND = '#161a20'
const DARK_INK = '#0e1115'
const WHITE = '#ffffff'
const CONTRAST_MIN = 4.5
const STEPS = 20

/** The accent of a site in both themes, each with the colour of text on it. */
export interface SiteColors {
  readonly light: string
  readonly dark: string
  readonly onDark: string
}

/** Returns the contrast of a colour, `#rrggbb`, with white: 1 to 21. */
export function contrastOnWhite(color: string): number {
  return contrast(color, WHITE)
}

/** Returns a colour that can be read on white, and its lighter version for the dark theme. */
export function siteColors(color: string): SiteColors {
  const lighter = Array.from({ length: STEPS + 1 }, (_, step) => mixed(color, step / STEPS))
  const dark = lighter.find(shade => contrast(shade, DARK_GROUND) >= CONTRAST_MIN) ?? WHITE
  return { light: color, dark, onDark: DARK_INK }
}

function mixed(color: string, whiteShare: number): string {
  const parts = rgbOf(color).map(part => Math.round(part + (255 - part) * whiteShare))
  return `#${parts.map(part => part.toString(16).padStart(2, '0')).join('')}`
}

/** The contrast of WCAG 2. */
function contrast(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminance(rgbOf(one)), luminance(rgbOf(other))].sort((a, b) => a - b)
  return (lighter + 0.05) / (darker + 0.05)
}

function luminance(rgb: Rgb): number {
  const [red = 0, green = 0, blue = 0] = rgb.map(part => {
    const share = part / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** Reads `#rrggbb`. */
export function rgbOf(color: string): Rgb {
  const number = Number.parseInt(color.slice(1), 16)
  return [(number >> 16) & 255, (number >> 8) & 255, number & 255]
}
