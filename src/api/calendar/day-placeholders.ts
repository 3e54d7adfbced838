/** Puts the day of a moment in place of `{date}` and `{weekday}`. */
export function withDay(text: string, at: number, locale: string, timeZone: string): string {
  const format = (parts: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(locale, { ...parts, timeZone }).format(at)
  return text
    .replaceAll('{date}', () => format({ day: 'numeric', month: 'short', year: 'numeric' }))
    .replaceAll('{weekday}', () => format({ weekday: 'long' }))
}
