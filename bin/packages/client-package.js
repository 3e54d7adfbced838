// The package raay-client: the TypeScript client alone, without dependencies.
import { copyFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { CLIENT_EXPORT, CLIENT_PACKAGES, writeClient } from './client-files.js'
import { licenceTexts } from './licence-texts.js'

/** Writes the files of the package except package.json, and returns that and what is bundled. */
export async function writeClientPackage({ root, folder, shared }) {
  await writeClient(root, join(folder, 'client'))
  copyFileSync(join(root, 'LICENSE'), join(folder, 'LICENSE'))
  copyFileSync(join(root, 'bin/packages/raay-client.md'), join(folder, 'README.md'))
  writeFileSync(join(folder, 'third-party-licences.txt'), licenceTexts(root, CLIENT_PACKAGES))
  const packageJson = {
    name: 'raay-client',
    version: shared.version,
    description:
      'The TypeScript client of Raay, a self-hosted exchange for opinion trading. No dependencies.',
    license: shared.license,
    type: 'module',
    sideEffects: false,
    exports: { '.': CLIENT_EXPORT('./client'), './package.json': './package.json' },
    imports: { '#ws': './client/ws.cjs' },
    engines: shared.engines,
  }
  return { packageJson, contains: CLIENT_PACKAGES }
}
