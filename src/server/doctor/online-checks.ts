import { WebSocket } from 'ws'
import type { Config } from '../config/config.js'
import type { Check } from './check.js'
import { fail, ok, warn } from './check.js'

const TIMEOUT_MS = 5000
/** Servers that are known to stand in front of others. */
const PROXIES = /nginx|caddy|apache|haproxy|traefik|envoy|cloudflare|openresty|litespeed/i

/** Asks the exchange at its public URL as a browser would: the way through proxies, TLS and WebSocket. */
export async function onlineChecks({ network, trustedProxies }: Config): Promise<Check[]> {
  const { publicUrl } = network
  if (publicUrl === undefined) {
    return [warn('public', '--public-url is not set', 'set it to the address that users type, to check it')]
  }
  let answer: Response
  try {
    answer = await ask(`${publicUrl}/version`)
  } catch (error) {
    const { cause, message } = error as Error & { readonly cause?: { readonly code?: string } }
    const advice = 'check the name, the certificate, the proxy in front, and that the exchange runs'
    return [fail('public', `${publicUrl} does not answer: ${cause?.code ?? message}`, advice)]
  }
  const found = await publicCheck(publicUrl, answer)
  if (found.result === 'fail') return [found]
  const inFront = frontCheck(answer, trustedProxies !== undefined)
  return [found, inFront, await redirectCheck(publicUrl), await socketCheck(publicUrl)]
}

async function publicCheck(publicUrl: string, answer: Response): Promise<Check> {
  const text = await answer.text()
  if (answer.status === 421) {
    const advice = 'let the proxy pass the Host header that it received, or name its own with --allowed-host'
    return fail('public', `${publicUrl} answers 421: the exchange sees another host name`, advice)
  }
  if (answer.ok && text.includes('"version"'))
    return ok('public', `${publicUrl} is this exchange or another Raay`)
  const advice = 'let the proxy pass all paths to the exchange, unchanged'
  return fail('public', `${publicUrl}/version answers ${answer.status}, and not as Raay does`, advice)
}

function frontCheck({ headers }: Response, trustsProxies: boolean): Check {
  const server = headers.get('server') ?? headers.get('via') ?? ''
  if (!PROXIES.test(server)) return ok('proxy', 'none that names itself')
  if (trustsProxies) return ok('proxy', `${server}, and --trusted-proxy is set`)
  const advice = 'name its address with --trusted-proxy: without it all clients share one address'
  return warn('proxy', `${server} is in front, and no proxy is trusted`, advice)
}

async function redirectCheck(publicUrl: string): Promise<Check> {
  if (!publicUrl.startsWith('https:')) {
    return warn('https', `${publicUrl} is not encrypted`, 'serve it with TLS: signing in needs it')
  }
  const plain = publicUrl.replace('https:', 'http:').replace(/:\d+$/, '')
  try {
    const { status, headers } = await ask(plain)
    const isSent = status >= 300 && status < 400 && headers.get('location')?.startsWith('https:')
    if (isSent) return ok('https', `${plain} redirects to https`)
    return warn('https', `${plain} answers ${status} without TLS`, 'redirect it to https')
  } catch {
    return ok('https', `nothing answers ${plain} without TLS`)
  }
}

async function socketCheck(publicUrl: string): Promise<Check> {
  const url = `${publicUrl.replace('http', 'ws')}/ws`
  const reason = await new Promise<string | undefined>(resolve => {
    const socket = new WebSocket(url, { handshakeTimeout: TIMEOUT_MS, origin: publicUrl })
    socket.once('open', () => {
      resolve(undefined)
      socket.terminate()
    })
    socket.once('error', error => resolve(error.message))
  })
  if (reason === undefined) return ok('websocket', `${url} opens`)
  const advice = 'let the proxy pass the headers Upgrade and Connection: raay init has configurations'
  return fail('websocket', `${url} does not open: ${reason}`, advice)
}

function ask(url: string): Promise<Response> {
  return fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(TIMEOUT_MS) })
}
