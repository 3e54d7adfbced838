import { once } from 'node:events'
import { createServer } from 'node:net'
import type { Check } from './check.js'
import { fail, ok, warn } from './check.js'

const ANSWER_TIMEOUT_MS = 3000

/** Whether an exchange can listen there; where one does already, that is told. */
export async function portCheck(host: string, port: number): Promise<Check> {
  if (port === 0) return ok('port', 'any that is free')
  const place = `${port} on ${host}`
  const server = createServer()
  try {
    server.listen(port, host)
    await once(server, 'listening')
    server.close()
    await once(server, 'close')
    return ok('port', `${place} is free`)
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException
    if (code !== 'EADDRINUSE')
      return fail('port', `${place}: ${message}`, 'choose another with --port or --host')
    const version = await raayAt(host, port)
    const found = version === undefined ? 'another program listens there' : `Raay ${version} listens there`
    return warn(
      'port',
      `${place} is in use: ${found}`,
      'nothing, where that is meant; else choose another with --port',
    )
  }
}

/** The version of the Raay that answers there, or undefined where none does. */
async function raayAt(host: string, port: number): Promise<string | undefined> {
  const name = host === '0.0.0.0' || host === '::' ? 'localhost' : host
  const url = `http://${name.includes(':') ? `[${name}]` : name}:${port}/version`
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS) })
    const { additional } = (await response.json()) as { readonly additional?: { readonly version?: unknown } }
    return typeof additional?.version === 'string' ? additional.version : undefined
  } catch {
    return undefined
  }
}
