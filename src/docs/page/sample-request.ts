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

/** Returns a curl command that sends a request. */
export function curlLine({ method, url, body, isGuarded }: SampleRequest): string {
  return [
    'curl -s',
    method === 'get' || (method === 'post' && body !== undefined) ? '' : `-X ${method.toUpperCase()}`,
    quoted(url),
    isGuarded ? '-H "Authorization: Bearer $(cat data/operator.key)"' : '',
    body === undefined ? '' : `-H 'Content-Type: application/json' -d ${quoted(JSON.stringify(body))}`,
  ]
    .filter(part => part !== '')
    .join(' ')
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
