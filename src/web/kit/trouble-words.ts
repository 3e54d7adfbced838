/** Returns words for a request that failed; the codes are those of RaayError. */
export function troubleWords(error: unknown): string {
  const { code, message } = error as { readonly code?: number; readonly message?: string }
  if (code === 502 || code === 408 || code === 504)
    return 'The exchange is not responding. Try again in a moment.'
  if (code === 503 || code === 429) return 'The exchange is busy. Try again in a moment.'
  if (message === undefined) return 'Something went wrong.'
  return message.endsWith('.') ? message : `${message}.`
}
