import type { JsonObject } from '../jwt/token-parts.js'

const BYTES_MAX = 256 * 1024

/** The provider answered, and refused what was asked. */
export class RefusedByProvider extends Error {
  override readonly name = 'RefusedByProvider'
}

/**
 * Requests JSON from the provider. Gives up after a while and after a quarter of a megabyte, and follows no
 * redirect. Rejects unless the answer is a JSON object with the status 200.
 */
export async function requestJson(
  url: string,
  timeoutMs: number,
  init: RequestInit = {},
): Promise<JsonObject> {
  const signal = AbortSignal.timeout(timeoutMs)
  const headers = { Accept: 'application/json', ...(init.headers as Record<string, string> | undefined) }
  const response = await fetch(url, { ...init, headers, redirect: 'error', signal })
  const text = await textOf(response)
  if (response.status !== 200) {
    const message = `${new URL(url).pathname} answered ${response.status}`
    throw response.status < 500 ? new RefusedByProvider(message) : new Error(message)
  }
  const value: unknown = JSON.parse(text)
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as JsonObject
  throw new Error(`${new URL(url).pathname} did not answer with a JSON object`)
}

async function textOf({ body }: Response): Promise<string> {
  const parts: Uint8Array[] = []
  let bytes = 0
  for await (const part of (body ?? []) as AsyncIterable<Uint8Array>) {
    bytes += part.length
    // Leaving the loop cancels the rest.
    if (bytes > BYTES_MAX) throw new Error(`the answer is longer than ${BYTES_MAX} bytes`)
    parts.push(part)
  }
  return Buffer.concat(parts).toString()
}
