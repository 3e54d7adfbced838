import { createRequire } from 'node:module'

const NODE_API_OF_VERSION_13 = 10

/**
 * Returns why the installed better-sqlite3 cannot run on this Node, or undefined if it can. Call it before
 * loading the driver: version 13 crashes the process on a Node with an older Node-API.
 */
export function nativeMismatch(): string | undefined {
  const require = createRequire(import.meta.url)
  const { version } = require('better-sqlite3/package.json') as { version: string }
  const major = Number(version.split('.')[0])
  if (major < 13 || Number(process.versions.napi) >= NODE_API_OF_VERSION_13) return undefined
  const advice = reinstallAdvice(process.env)
  return `better-sqlite3 ${version} does not run on Node ${process.version}: ${advice}, or use Node 22`
}

/** Rewords the many lines in which Node says that better-sqlite3 was compiled for another version of it. */
export function nativeFault(message: string): string {
  if (!message.includes('NODE_MODULE_VERSION')) return message
  return `better-sqlite3 was compiled for another version of Node: ${reinstallAdvice(process.env)}`
}

/** Says how to install the driver for this Node; npx keeps what it installed with another one. */
export function reinstallAdvice({ npm_command, npm_config_cache }: NodeJS.ProcessEnv): string {
  if (npm_command !== 'exec') return 'run npm ci with this Node'
  return `delete ${npm_config_cache ?? '~/.npm'}/_npx and run npx again`
}
