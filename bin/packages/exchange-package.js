// The package raay: the exchange as a bundle, its command, and the client once more.
import { copyFileSync, cpSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { CLIENT_IMPORTS, clientExport, writeClient } from './client-files.js'

/** Cannot be bundled: it is native. */
const NATIVE = 'better-sqlite3'
const BUNDLE = 'dist/bundle'

/** Writes the files of the package except package.json, and returns that and the licences of what is inside. */
export async function writeExchangePackage({ root, folder, shared }) {
  if (!existsSync(join(root, BUNDLE))) throw new Error(`${BUNDLE} is missing: npm run build makes it`)
  await writeClient(root, join(folder, 'client'))
  cpSync(join(root, BUNDLE), join(folder, BUNDLE), { recursive: true })
  mkdirSync(join(folder, 'bin'))
  copyFileSync(join(root, 'bin/raay.js'), join(folder, 'bin/raay.js'))
  copyFileSync(join(root, 'LICENSE'), join(folder, 'LICENSE'))
  copyFileSync(join(root, 'bin/packages/raay.md'), join(folder, 'README.md'))
  const packageJson = {
    name: 'raay',
    version: shared.version,
    description: shared.description,
    license: shared.license,
    type: 'module',
    bin: shared.bin,
    exports: { './client': clientExport('./client'), './package.json': './package.json' },
    imports: CLIENT_IMPORTS,
    engines: shared.engines,
    dependencies: { [NATIVE]: shared.dependencies[NATIVE] },
  }
  return { packageJson, licences: readFileSync(join(root, BUNDLE, 'licences.txt'), 'utf8') }
}
