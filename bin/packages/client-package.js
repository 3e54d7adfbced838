// The package raay-client: the TypeScript client alone, without dependencies.
import { copyFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { licencesOf } from '../licences.js'
import { CLIENT_IMPORTS, clientExport, writeClient } from './client-files.js'

/** Writes the files of the package except package.json, and returns that and the licences of what is inside. */
export async function writeClientPackage({ root, folder, shared }) {
  await writeClient(root, join(folder, 'client'))
  copyFileSync(join(root, 'LICENSE'), join(folder, 'LICENSE'))
  copyFileSync(join(root, 'bin/packages/raay-client.md'), join(folder, 'README.md'))
  const licences = licencesOf(root, ['node_modules/ws'])
  writeFileSync(join(folder, 'third-party-licences.txt'), licences)
  const packageJson = {
    name: 'raay-client',
    version: shared.version,
    description:
      'The TypeScript client of Raay, a self-hosted exchange for opinion trading. No dependencies.',
    license: shared.license,
    type: 'module',
    sideEffects: false,
    exports: { '.': clientExport('./client'), './package.json': './package.json' },
    imports: CLIENT_IMPORTS,
    engines: shared.engines,
  }
  return { packageJson, licences }
}
