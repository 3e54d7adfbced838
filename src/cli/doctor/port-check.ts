import { once } from 'node:events'
import { createServer } from 'node:net'
import { RaayClient } from '../../client/node-client.js'
import type { Check } from '../../server/doctor/check.js'
import { fail, ok, warn } from '../../server/doctor/check.js'

const TIMEOUT_MS = 3000

/**
 * Checks whether an exchange can listen on a port, and finds out whether one already does.
 *
 * @param running the address of the exchange that runs on the data directory, if one does
 */
export async function portCheck(host: string, port: number, running?: string): Promise<Check> {
  if (port === 0) return ok('port', 'any free one')
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
    if (running !== undefined && portIn(running) === port)
      return ok('port', `${place} is in use by the exchange that runs on the data directory`)
    const version = await raayAt(host, port)
    const found = version === undefined ? 'by another program' : `by Raay ${version}`
    return warn(
      'port',
      `${place} is in use ${found}`,
      'choose another with --port, unless that is your exchange',
    )
  }
}

function portIn(url: string): number {
  const { port, protocol } = new URL(url)
  return Number(port || (protocol === 'https:' ? 443 : 80))
}

/** Returns the version of the Raay that answers there, or undefined if none does. */
async function raayAt(host: string, port: number): Promise<string | undefined> {
  const name = host === '0.0.0.0' || host === '::' ? 'localhost' : host
  const url = `http://${name.includes(':') ? `[${name}]` : name}:${port}`
  const client = new RaayClient({ url, timeoutMs: TIMEOUT_MS, attemptsMax: 1 })
  try {
    return (await client.fetchVersion()).version
  } catch {
    return undefined
  }
}
