import { ApiError } from '../../api/api-error.js'
import { LIMITS } from '../../api/limits.js'
import { REFUSED } from '../../api/refusal-texts.js'
import { checkCallerAgain } from '../routing/sender.js'
import type { Call } from '../routing/handle.js'
import { headerOf } from './header-of.js'

const tooLarge = (bytesMax: number) =>
  new ApiError(413, bytesMax === LIMITS.bodyBytesMax ? REFUSED.bodyTooLarge : REFUSED.pictureBodyTooLarge)

/**
 * Reads a request's body as JSON, whatever its content type says, then checks its caller again. Throws 413 or
 * 400, and 401 or 403 if the caller has lost their rights meanwhile.
 */
export async function readJson(call: Call, bytesMax: number = LIMITS.bodyBytesMax): Promise<unknown> {
  const { c } = call
  const length = headerOf(c, 'content-length')
  if (length !== undefined && Number(length) > bytesMax) throw tooLarge(bytesMax)
  // Node cuts the body off at the announced length; only a body of unannounced length must be counted.
  const bytes = await whole<ArrayBuffer | Uint8Array>(
    length === undefined ? readCounted(c.req.raw.body, bytesMax) : c.req.arrayBuffer(),
  )
  await checkCallerAgain(call)
  try {
    return JSON.parse(textOf(bytes)) as unknown
  } catch {
    throw new ApiError(400, REFUSED.malformedJson, 'malformed_json')
  }
}

/** Handles a client that disconnects in the middle of its body; that is not a fault of the exchange. */
async function whole<Body>(body: Promise<Body>): Promise<Body> {
  try {
    return await body
  } catch (error) {
    throw error instanceof ApiError ? error : new ApiError(400, REFUSED.bodyIncomplete, 'body_incomplete')
  }
}

async function readCounted(body: ReadableStream<Uint8Array> | null, bytesMax: number): Promise<Uint8Array> {
  if (body === null) return new Uint8Array(0)
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of body) {
    bytes += chunk.byteLength
    if (bytes > bytesMax) throw tooLarge(bytesMax)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** Decodes UTF-8; throws on invalid bytes instead of replacing them. */
function textOf(bytes: ArrayBuffer | Uint8Array): string {
  return utf8.decode(bytes)
}
