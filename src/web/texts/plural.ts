/** The forms of a noun, with `#` for its count. */
interface Forms {
  readonly one: string
  readonly other: string
}

const NUMBER = new Intl.NumberFormat('en-IN', { maximumFractionDigits: 2 })
const RULES = { en: new Intl.PluralRules('en'), hi: new Intl.PluralRules('hi') }

/** Puts a count into the form that English needs for it: `1 user`, `2 users`. */
export function plural(count: number, forms: Forms): string {
  return formOf('en', count, forms)
}

/** Puts a count into the form that Hindi needs for it, where zero is like one. */
export function hindiPlural(count: number, forms: Forms): string {
  return formOf('hi', count, forms)
}

/** Quotes an outcome in a Hindi sentence: bare, नहीं before a verb says that it was not done. */
export const hindiQuoted = (name: string) => `‘${name}’`

/** The two outcomes as Hindi sentences name them. */
export const HINDI_OUTCOMES = { yes: hindiQuoted('हाँ'), no: hindiQuoted('नहीं') } as const

function formOf(language: keyof typeof RULES, count: number, { one, other }: Forms): string {
  const form = RULES[language].select(count) === 'one' ? one : other
  return form.replace('#', NUMBER.format(count))
}
