const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const HEIGHT = 250

/** Returns the HTML that shows a market's card on another site. The title is a user's text: it is escaped. */
export function embedCode(origin: string, code: string, title: string): string {
  const attributes = {
    src: `${origin}/embed/${code}`,
    title: title.replace(/[&<>"]/g, sign => ENTITIES[sign] ?? ''),
    width: '100%',
    height: HEIGHT,
    style: 'border:0;max-width:640px',
    loading: 'lazy',
  }
  const written = Object.entries(attributes).map(([name, value]) => `${name}="${value}"`)
  return `<iframe ${written.join(' ')}></iframe>`
}
