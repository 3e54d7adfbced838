import { LOCALES, languageFor } from '../texts/languages.js'
import { remembered } from './browser-memory.js'

/**
 * Applies the reader's theme and language before the first paint; without a choice the page follows the
 * system and the browser. Begins to load the Hindi texts, which the page's script would ask for later.
 */
const root = document.documentElement
const theme = remembered('theme')
if (theme === 'light' || theme === 'dark') root.dataset.theme = theme

const language = languageFor(remembered('language'), navigator.languages, root.dataset.language)
if (document.currentScript?.dataset.hindi !== undefined) {
  root.lang = LOCALES[language]
  if (language === 'hi') preload(document.currentScript.dataset.hindi.split(' '))
}

function preload(addresses: readonly string[]): void {
  for (const href of addresses) {
    const link = document.createElement('link')
    link.rel = 'modulepreload'
    link.href = href
    document.head.append(link)
  }
}
