import { readFileSync } from 'node:fs'
import { ConfigError } from '../../server/config.js'
import { readFlags } from '../flags.js'
import { answering, json } from '../run-verb.js'

/** The version in package.json. */
export function packageVersion(): string {
  const text = readFileSync(new URL('../../../../package.json', import.meta.url), 'utf8')
  return (JSON.parse(text) as { version: string }).version
}

/** `raay version` */
export function version(argv: readonly string[]): Promise<void> {
  return answering(async () => {
    const { values, positionals } = readFlags(argv, { json: { type: 'boolean' } } as const, 'version')
    if (positionals.length > 0) throw new ConfigError('version takes no words; raay help version says more')
    const versions = { version: packageVersion(), node: process.version }
    return values.json ? json(versions) : `raay ${versions.version}, node ${versions.node}\n`
  })
}
