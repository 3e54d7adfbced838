/** The languages of the pages, each in its own words. */
export const LANGUAGES = { en: 'English', hi: 'हिन्दी' } as const

export type Language = keyof typeof LANGUAGES

/** For `Intl` and `<html lang>`; Hindi, too, is written with Latin digits. */
export const LOCALES: Readonly<Record<Language, string>> = { en: 'en-IN', hi: 'hi-IN' }

/**
 * Chooses a language: the one that the reader has chosen here, else the first known one of the browser, else the
 * one of the instance.
 */
export function languageFor(
  chosen: string | undefined,
  browser: readonly string[],
  instance: string | undefined,
): Language {
  const tags = [...(chosen === undefined ? [] : [chosen]), ...browser, ...(instance ? [instance] : [])]
  return tags.map(tag => tag.toLowerCase().split('-')[0]).find(isLanguage) ?? 'en'
}

function isLanguage(text: string | undefined): text is Language {
  return text !== undefined && Object.hasOwn(LANGUAGES, text)
}
