import { Failure, UsageError } from './exit-errors.js'

const ANSWER_BYTES_MAX = 1_000_000
const TIMEOUT_MS = 5000
/** Read by Node itself, if NODE_USE_ENV_PROXY asks for it. */
const PROXY_VARIABLES = ['https_proxy', 'HTTPS_PROXY', 'http_proxy', 'HTTP_PROXY']

/** The address of the npm registry, which is asked for the newest version. */
export const REGISTRY = 'https://registry.npmjs.org'

/**
 * Asks a registry for the newest published version of Raay. Sends nothing but the name of the package. Throws
 * UsageError for a bad address, Failure if no version comes back.
 */
export async function fetchNewestVersion(
  registry: string,
  environment: NodeJS.ProcessEnv,
  timeoutMs = TIMEOUT_MS,
): Promise<string> {
  if (!/^https?:\/\//i.test(registry) || !URL.canParse(registry)) {
    throw new UsageError(`--registry (RAAY_REGISTRY) is ${registry}: give an address such as ${REGISTRY}`)
  }
  const url = `${registry.replace(/\/+$/, '')}/raay/latest`
  const fail = (why: string) => new Failure(`cannot find the newest version: ${url} ${why}`)
  let text: string
  let status: number
  try {
    const answer = await fetch(url, {
      headers: { Accept: 'application/json' },
      signal: AbortSignal.timeout(timeoutMs),
    })
    status = answer.status
    text = await boundedText(answer)
  } catch (error) {
    throw fail(`${reasonOf(error, timeoutMs)}${proxyAdvice(environment)}`)
  }
  if (status === 404) throw fail('does not know the package raay')
  if (status !== 200) throw fail(`answered ${status}`)
  const version = versionIn(text)
  if (version === undefined) throw fail('answered something other than a version of a package')
  return version
}

/** Returns whether a version comes after another, by semantic versioning without the names of previews. */
export function isNewer(version: string, than: string): boolean {
  const [a, b] = [partsOf(version), partsOf(than)]
  const different = a.findIndex((part, index) => part !== b[index])
  return different >= 0 && (a[different] ?? 0) > (b[different] ?? 0)
}

/** Major, minor and patch, then 0 for a preview such as 1.0.0-rc.1 and 1 for the version itself. */
function partsOf(version: string): number[] {
  const [numbers = '', preview] = version.split('+', 1)[0]?.split(/-(.*)/) ?? []
  return [...numbers.split('.').map(Number), preview === undefined ? 1 : 0]
}

function versionIn(text: string): string | undefined {
  try {
    const { version } = JSON.parse(text) as { readonly version?: unknown }
    return typeof version === 'string' && /^\d+\.\d+\.\d+(?:[-+][\w.+-]+)?$/.test(version)
      ? version
      : undefined
  } catch {
    return undefined
  }
}

async function boundedText({ body }: Response): Promise<string> {
  if (body === null) return ''
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of body) {
    bytes += chunk.length
    if (bytes > ANSWER_BYTES_MAX) throw new Error(`sent more than ${ANSWER_BYTES_MAX} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function reasonOf(error: unknown, timeoutMs: number): string {
  const { name, message, cause } = error as Error & { readonly cause?: NodeJS.ErrnoException }
  if (name === 'TimeoutError') return `did not answer within ${timeoutMs} ms`
  return cause === undefined ? message : `cannot be reached (${cause.code ?? cause.message})`
}

function proxyAdvice(environment: NodeJS.ProcessEnv): string {
  const proxy = PROXY_VARIABLES.find(name => environment[name])
  if (proxy === undefined || environment.NODE_USE_ENV_PROXY === '1') return ''
  return `; Node uses ${proxy} only with NODE_USE_ENV_PROXY=1, from Node 22.21 or 24.5 on`
}
