// Builds the npm packages of a release from dist: raay, the exchange, and raay-client.
// usage: node bin/build-packages.js [--out release/npm] [--only raay-client]
// Each becomes a folder and its tarball, with a list of what it contains and checksums of all. The same source
// and the same Node give the same bytes.
import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { writeChecksums } from './packages/checksums.js'
import { writeClientPackage } from './packages/client-package.js'
import { writeExchangePackage } from './packages/exchange-package.js'
import { lockedPackages, sbomOf } from './packages/sbom.js'

const root = fileURLToPath(new URL('..', import.meta.url))
const { values } = parseArgs({
  options: { out: { type: 'string', default: join(root, 'release/npm') }, only: { type: 'string' } },
})
const out = resolve(values.out)

const PACKAGES = { 'raay-client': writeClientPackage, raay: writeExchangePackage }
const chosen = values.only === undefined ? Object.keys(PACKAGES) : [values.only]

rmSync(out, { recursive: true, force: true })
const shared = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const locked = lockedPackages(root)
for (const name of chosen) {
  const folder = join(out, name)
  mkdirSync(folder, { recursive: true })
  const { packageJson, licences } = await PACKAGES[name]({ root, folder, shared })
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(packageJson, undefined, 2)}\n`)
  evenModes(folder)
  const pack = ['pack', '--ignore-scripts', '--loglevel=error', '--pack-destination', out, folder]
  const tarball = execFileSync('npm', pack, { cwd: out, encoding: 'utf8' }).trim()
  writeFileSync(join(out, tarball.replace(/\.tgz$/, '.cdx.json')), sbomOf(locked, packageJson, licences))
}
writeChecksums(out)

/** Gives all files the same rights, whatever those of the checkout are; commands can be executed. */
function evenModes(folder) {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const isExecutable = entry.isDirectory() || basename(entry.parentPath) === 'bin'
    chmodSync(join(entry.parentPath, entry.name), isExecutable ? 0o755 : 0o644)
  }
}
