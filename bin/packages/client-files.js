// Writes the files of the TypeScript client as packages carry them: two scripts and their types.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { build } from 'esbuild'

const BUILT = 'dist/src'
const ENTRY = 'client/client.d.ts'

/** Returns the entry of a package's exports for the folder that `writeClient` fills. */
export const clientExport = folder => ({
  types: `${folder}/types/${ENTRY}`,
  browser: `${folder}/client.js`,
  node: `${folder}/node-client.js`,
  default: `${folder}/client.js`,
})

/** The imports of a package with the client. */
export const CLIENT_IMPORTS = { '#ws': './client/ws.cjs' }

/**
 * Fills a folder with the client. Node before 22 has no WebSocket, so one comes along in `ws.cjs`, which only
 * those versions load.
 */
export async function writeClient(root, folder) {
  mkdirSync(folder, { recursive: true })
  const write = (name, text) => {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  const bundle = async (entry, options) => {
    const { outputFiles } = await build({
      absWorkingDir: root,
      entryPoints: [entry],
      bundle: true,
      write: false,
      target: 'es2022',
      legalComments: 'none',
      logLevel: 'warning',
      ...options,
    })
    return outputFiles[0].text
  }
  const client = await bundle(`${BUILT}/client/client.js`, { format: 'esm', platform: 'neutral' })
  write('client.js', client.replaceAll(/^\/\/ dist\/.*\n/gm, ''))
  const nodeClient = readFileSync(join(root, BUILT, 'client/node-client.js'), 'utf8')
  write('node-client.js', nodeClient.replace(/^\/\/# sourceMappingURL=.*\n?/m, ''))
  const external = ['bufferutil', 'utf-8-validate']
  const socket = await bundle('node_modules/ws/index.js', {
    format: 'cjs',
    platform: 'node',
    minify: true,
    external,
  })
  write('ws.cjs', socket)
  for (const [name, text] of typesFrom(root, ENTRY)) write(`types/${name}`, text)
}

/** Returns a declaration file and all those that it imports, by their paths below the build. */
function typesFrom(root, entry) {
  const found = new Map()
  const visit = name => {
    if (found.has(name)) return
    const text = readFileSync(join(root, BUILT, name), 'utf8')
    found.set(name, text)
    for (const [, path] of text.matchAll(/(?:\bfrom\s+|\bimport\()['"](\.[^'"]+)\.js['"]/g)) {
      visit(posix.join(posix.dirname(name), `${path}.d.ts`))
    }
  }
  visit(entry)
  return found
}
