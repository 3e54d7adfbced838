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
  const advice = 'run npm ci with this Node, or use Node 22'
  return `better-sqlite3 ${version} does not run on Node ${process.version}: ${advice}`
}
