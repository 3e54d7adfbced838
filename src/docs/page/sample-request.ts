import type { Json } from '../openapi/schema-shelf.js'

interface Parameter {
  readonly name: string
  readonly in: string
  readonly required: boolean
  readonly example?: unknown
}

/** A request that sends an operation's first example. */
export interface SampleRequest {
  readonly method: string
  /** The whole address. */
  readonly url: string
  readonly body: unknown
  /** True if every caller needs credentials, in every mode. */
  readonly isGuarded: boolean
}

/**
 * Returns a request that sends an operation’s first example.
 *
 * @param base the address of the exchange, without a trailing slash
 */
export function sampleRequest(base: string, method: string, path: string, operation: Json): SampleRequest {
  const parameters = (operation.parameters ?? []) as readonly Parameter[]
  const needed = parameters.filter(({ required }) => required)
  const target = needed
    .filter(({ in: place }) => place === 'path')
    .reduce((text, { name, example }) => text.replace(`{${name}}`, encodeURIComponent(String(example))), path)
  const query = needed
    .filter(({ in: place }) => place === 'query')
    .map(({ name, example }) => `${name}=${encodeURIComponent(String(example))}`)
    .join('&')
  return {
    method,
    url: `${base}${target}${query === '' ? '' : `?${query}`}`,
    body: firstExample(operation),
    isGuarded: needsCredentials(operation),
  }
}

/** A longer body has a line for each of its fields. */
const LINE_LENGTH_MAX = 60

/** Returns a curl command that sends a request: in one line, or with a line for each part of a body. */
export function curlCommand({ method, url, body, isGuarded }: SampleRequest): string {
  const start = [
    'curl -s',
    method === 'get' || (method === 'post' && body !== undefined) ? '' : `-X ${method.toUpperCase()}`,
    quoted(url),
  ]
  const key = isGuarded ? ['-H "Authorization: Bearer $(cat data/operator.key)"'] : []
  const parts = [start.filter(part => part !== '').join(' '), ...key]
  if (body === undefined) return parts.join(' ')
  const line = JSON.stringify(body)
  const text = line.length > LINE_LENGTH_MAX ? JSON.stringify(body, undefined, 2) : line
  return [...parts, `-H 'Content-Type: application/json'`, `-d ${quoted(text)}`].join(' \\\n  ')
}

/** Returns whether every caller of an operation needs credentials, in every mode. */
export function needsCredentials({ security = [] }: Json): boolean {
  const ways = security as readonly Json[]
  return ways.length > 0 && ways.every(way => Object.keys(way).length > 0)
}

function firstExample({ requestBody }: Json): unknown {
  const { content } = (requestBody ?? {}) as { content?: Record<string, { examples: Record<string, Json> }> }
  return Object.values(content?.['application/json']?.examples ?? {})[0]?.value
}

/** Quotes a text for a shell; only single quotes need escaping. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}
