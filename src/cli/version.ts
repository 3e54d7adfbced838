import { readFileSync } from 'node:fs'

/** The version in package.json. */
export function packageVersion(): string {
  const text = readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')
  return (JSON.parse(text) as { version: string }).version
}

/** `raay version` */
export function version(argv: readonly string[]): void {
  const versions = { version: packageVersion(), node: process.version }
  const text = argv.includes('--json')
    ? JSON.stringify(versions)
    : `raay ${versions.version}, node ${versions.node}`
  process.stdout.write(`${text}\n`)
}
