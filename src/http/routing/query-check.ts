import { ApiError } from '../../api/api-error.js'
import { REFUSED } from '../../api/refusal-texts.js'
import type { RouteFacts } from '../../api/route.js'
import { unknownFault } from '../../api/validation.js'

/** Throws 400 for an address that is not UTF-8. */
export function checkEncoding(url: string): void {
  if (url.includes('%') && !isUtf8(url)) throw new ApiError(400, REFUSED.addressNotUtf8, 'not_utf8')
}

/**
 * Throws 422 for a parameter that the route does not know or that is there twice: ignoring one would answer a
 * different question.
 */
export function checkQuery(url: string, { query, takesAnyQuery }: RouteFacts): void {
  if (!url.includes('?')) return
  const known = Object.keys(query?.shape ?? {})
  const names = [...new URL(url).searchParams.keys()]
  const again = known.find(name => names.indexOf(name) !== names.lastIndexOf(name))
  if (again !== undefined) throw new ApiError(422, `${again}: Expected one value, received several`)
  if (takesAnyQuery) return
  const unknown = names.find(name => !known.includes(name))
  if (unknown !== undefined)
    throw new ApiError(422, unknownFault('parameter', unknown, known), 'parameter_unknown')
}

/** Returns whether percent-encoded text decodes as UTF-8; a stray percent sign is left as it is. */
function isUtf8(url: string): boolean {
  try {
    decodeURIComponent(url.replaceAll(/%(?![\da-f]{2})/gi, '%25'))
    return true
  } catch {
    return false
  }
}
