import { UsageError } from '../exit-errors.js'
import type { NatsHost } from './nats-files.js'

/** Servers use the port 2000 above for each other. */
const NATS_PORT_MAX = 63_535
const PATH = /^\/[\w./@+-]*$/
const PROGRAM = /^\/[\w./@+-]+(?: \/[\w./@+-]+)?$/
const USER = /^[a-z_][a-z0-9_-]{0,31}$/
const IMAGE = /^[a-z0-9][\w./:@-]{0,254}$/
const HOST = /^(?:[\w-]+(?:\.[\w-]+)*|\[[0-9a-f:]+\])$/

/** Makes a parser of an absolute path. It throws UsageError. */
const path = (flag: string) => matching(flag, PATH, 'an absolute path without spaces')

/** Reads the command that runs Raay. Throws UsageError. */
const program = matching('--program', PROGRAM, 'the absolute path of raay, without spaces')

/** Reads the name of a user. Throws UsageError. */
const user = matching('--user', USER, 'the name of a user, such as raay')

/** Reads the name of an image. Throws UsageError. */
const image = matching('--image', IMAGE, 'the name of an image, such as registry.example.org/raay:1')

/** Reads the address under which users reach the exchange. Throws UsageError. */
function publicUrl(text: string): URL {
  const url = /^https?:\/\//.test(text) && URL.canParse(text) ? new URL(text) : undefined
  const isPlain = url !== undefined && url.href === `${url.origin}/` && HOST.test(url.hostname)
  if (isPlain) return url
  throw new UsageError(`--public-url is ${text}: give an address such as https://raay.example.org`)
}

/** Reads the addresses of standbys, separated by commas; returns their hosts and ports. Throws UsageError. */
function standbys(text: string): string[] {
  return text.split(',').map(part => {
    const url = /^http:\/\//.test(part) && URL.canParse(part) ? new URL(part) : undefined
    const isPlain = url !== undefined && url.href === `${url.origin}/` && HOST.test(url.hostname)
    if (isPlain) return `${url.hostname}:${url.port || 80}`
    throw new UsageError(
      `--standby is ${text}: give addresses such as http://10.0.0.2:3000,http://10.0.0.3:3000`,
    )
  })
}

/** Reads the machines of a cluster, separated by commas. Throws UsageError. */
function natsHosts(text: string): NatsHost[] {
  const hosts = text.split(',').map(part => {
    const [, host = '', port = '4222'] = /^(\[[0-9a-f:]+\]|[^:]+)(?::(\d{1,5}))?$/.exec(part) ?? []
    if (HOST.test(host) && Number(port) > 0 && Number(port) <= NATS_PORT_MAX) {
      return { host, port: Number(port) }
    }
    throw new UsageError(`--servers has ${part}: give a host, or a host and a port such as n1:4222`)
  })
  const isEnough = hosts.length === 3 || hosts.length === 5
  if (isEnough && new Set(text.split(',')).size === hosts.length) return hosts
  throw new UsageError(`--servers is ${text}: give three different machines, or five`)
}

function matching(flag: string, pattern: RegExp, wanted: string) {
  return (text: string): string => {
    if (pattern.test(text)) return text
    throw new UsageError(`${flag} is ${text}: give ${wanted}`)
  }
}

/** Parsers of the options of `raay init`. Each throws UsageError. */
export const deploymentOptions = { path, program, user, image, publicUrl, standbys, natsHosts }
