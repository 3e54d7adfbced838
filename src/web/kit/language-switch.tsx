import { t } from '../texts/kit.js'
import { locale } from '../texts/language.js'
import type { Language } from '../texts/languages.js'
import { LANGUAGES, LOCALES } from '../texts/languages.js'
import { remember } from './browser-memory.js'

const NAMES = Object.entries(LANGUAGES) as readonly (readonly [Language, string])[]

/** Changes the language of all pages in this browser; the page is loaded again. */
export function LanguageSwitch() {
  const choose = (chosen: Language) => {
    if (LOCALES[chosen] === locale) return
    remember('language', chosen)
    location.reload()
  }
  return (
    <fieldset class="languages">
      <legend class="unseen">{t.language}</legend>
      {NAMES.map(([key, name]) => (
        <button
          key={key}
          type="button"
          lang={LOCALES[key]}
          aria-pressed={LOCALES[key] === locale}
          onClick={() => choose(key)}
        >
          {name}
        </button>
      ))}
    </fieldset>
  )
}
