export type Encoding = 'br' | 'gzip'

/** Returns the best encoding that an `Accept-Encoding` names and the exchange supports, if any. */
export function encodingIn(acceptEncoding: string | undefined): Encoding | undefined {
  if (acceptEncoding === undefined) return undefined
  if (qualityOf(acceptEncoding, 'br') > 0) return 'br'
  if (qualityOf(acceptEncoding, 'gzip') > 0) return 'gzip'
  return undefined
}

/** Returns the q of one name in a header such as `gzip, br;q=0.5`; 0 if it is not listed. */
export function qualityOf(header: string, name: string): number {
  for (const part of header.split(',')) {
    const [value = '', ...parameters] = part.split(';').map(text => text.trim().toLowerCase())
    if (value !== name) continue
    const quality = parameters.find(text => text.startsWith('q='))?.slice(2)
    return quality === undefined ? 1 : Number(quality)
  }
  return 0
}

/** Returns whether HTML is accepted by name, as browsers do; the wildcards of programs do not count. */
export function acceptsHtml(accept = ''): boolean {
  return qualityOf(accept, 'text/html') > 0
}
