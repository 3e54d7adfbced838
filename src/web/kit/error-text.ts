const NOT_RESPONDING = 'The exchange is not responding. Try again in a moment.'
const NOT_SIGNED_IN = 'You are not signed in, or your session has ended.'
const BUSY = 'The exchange is busy. Try again in a moment.'

/** Texts for failures that say nothing about the request, by HTTP status. */
const BY_STATUS: Readonly<Record<number, string>> = {
  401: NOT_SIGNED_IN,
  408: NOT_RESPONDING,
  429: BUSY,
  502: NOT_RESPONDING,
  503: BUSY,
  504: NOT_RESPONDING,
}

/** Returns the sentence to show for a failed request: a fixed text for its status, else the error's own. */
export function errorText(error: unknown): string {
  const { code, message } = error as { readonly code?: number; readonly message?: string }
  const text = (code === undefined ? undefined : BY_STATUS[code]) ?? message ?? 'Something went wrong'
  return text.endsWith('.') ? text : `${text}.`
}
