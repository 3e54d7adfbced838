import { LOCALES, languageFor } from '../texts/languages.js'
import { remembered } from './browser-memory.js'
import { addSystemLetters } from './system-letters.js'

/**
 * Applies the reader's theme and language, and the colour of the site, before the first paint; without a
 * choice the page follows the system and the browser. Begins what would hold the page's script up later: to
 * load the part of it that this address needs, the Hindi texts and, where the system has none, their letters;
 * and the browser's tables of dates, which take a slow phone 0.1 s.
 */
const root = document.documentElement
const theme = remembered('theme')
if (theme === 'light' || theme === 'dark') root.dataset.theme = theme

const [light, dark, onDark] = root.dataset.colors?.split(' ') ?? []
if (light !== undefined) {
  root.style.setProperty('--accent', `light-dark(${light}, ${dark})`)
  root.style.setProperty('--on-accent', `light-dark(#ffffff, ${onDark})`)
}

for (const part of document.currentScript?.dataset.parts?.split(',') ?? []) {
  const [address = '', ...files] = part.split(' ')
  if (address === '/' ? location.pathname === address : location.pathname.startsWith(address)) preload(files)
}

const systemLetters = addSystemLetters()
const language = languageFor(remembered('language'), navigator.languages, root.dataset.language)
if (document.currentScript?.dataset.hindi !== undefined) {
  root.lang = LOCALES[language]
  // In a task of its own, while the scripts are on their way.
  setTimeout(() => new Intl.DateTimeFormat(root.lang).format())
  if (language === 'hi') {
    const { hindi, letters = '' } = document.currentScript.dataset
    preload(hindi.split(' '))
    Promise.all(systemLetters.map(face => face.load())).catch(() => preload([letters]))
  }
}

function preload(addresses: readonly string[]): void {
  for (const href of addresses) {
    const link = document.createElement('link')
    const isFont = href.endsWith('.woff2')
    link.rel = isFont ? 'preload' : 'modulepreload'
    if (isFont) Object.assign(link, { as: 'font', type: 'font/woff2' })
    link.crossOrigin = ''
    link.href = href
    document.head.append(link)
  }
}
