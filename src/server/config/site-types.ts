import { isEmoji } from '../../core/emoji.js'
import { contrastOnWhite } from '../../http/pages/site-colors.js'
import type { SettingType } from './setting-types.js'
import { WrongValue } from './setting-types.js'

const NAME_LENGTH_MAX = 40
const CONTACT_LENGTH_MAX = 100
/** Text that a line of a page can show, without controls and without marks that turn its direction. */
const LINE = /^[^\p{C}\p{Zl}\p{Zp}]+$/u
const COLOR = /^#[\da-f]{6}$/i
/** The contrast of text that WCAG asks for. */
const CONTRAST_MIN = 4.5
const PICTURE = /\.(?:png|jpe?g|webp)$/i

/** The name of a site. */
export const SITE_NAME = oneLine('name', NAME_LENGTH_MAX)

/** How users reach the operator: an e-mail or web address, a telephone number, or in words. */
export const SITE_CONTACT = oneLine('contact', CONTACT_LENGTH_MAX)

/** A colour that can be read on white. */
export const SITE_COLOR: SettingType<string> = {
  value: 'color',
  inFile: 'text',
  read: text => {
    if (!COLOR.test(text)) throw new WrongValue(`is ${text}: give a colour such as #1b4fd0`)
    const contrast = contrastOnWhite(text)
    if (contrast >= CONTRAST_MIN) return text.toLowerCase()
    const found = `its contrast on white is ${contrast.toFixed(1)}`
    throw new WrongValue(`is ${text}: ${found}, and text needs ${CONTRAST_MIN}; give a darker colour`)
  },
}

/** An emoji, or the file of a picture. */
export type SiteLogo = { readonly emoji: string } | { readonly file: string }

export const SITE_LOGO: SettingType<SiteLogo> = {
  value: 'emoji or file',
  inFile: 'text',
  read: text => {
    if (isEmoji(text)) return { emoji: text }
    if (PICTURE.test(text)) return { file: text }
    throw new WrongValue(`is ${text}: give one emoji, or a file that ends in .png, .jpg or .webp`)
  },
}

/** A time zone that this version of Node knows. */
export const TIME_ZONE: SettingType<string> = {
  value: 'zone',
  inFile: 'text',
  read: text => {
    try {
      new Intl.DateTimeFormat('en', { timeZone: text })
      return text
    } catch {
      throw new WrongValue(`is ${text}: give a time zone such as Asia/Kolkata or UTC`)
    }
  },
}

/** Returns the type of a text that fits on one line of a page. */
function oneLine(value: string, lengthMax: number): SettingType<string> {
  return {
    value,
    inFile: 'text',
    read: text => {
      const line = text.trim()
      if (line !== '' && [...line].length <= lengthMax && LINE.test(line)) return line
      throw new WrongValue(`is ${JSON.stringify(text)}: give 1 to ${lengthMax} characters on one line`)
    },
  }
}
