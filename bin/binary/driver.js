// Makes the database driver one script and its addon, as a package that the bundle finds by its name.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'

/** The first version with an addon that does not depend on the version of Node, for every platform. */
const WITH_PREBUILT = 13
const ADDON = 'better_sqlite3.node'

/**
 * Writes the package into a directory.
 *
 * @param source an installed or unpacked better-sqlite3
 * @param node for which it must run, as `describeNode` returns it
 * @returns where its addon is from, and the licence. Throws if it has none for this Node
 */
export async function writeDriver(source, directory, node) {
  const about = JSON.parse(readFileSync(join(source, 'package.json'), 'utf8'))
  const { entry, addon } = partsOf(source, about, node)
  mkdirSync(directory, { recursive: true })
  writeFileSync(join(directory, ADDON), readFileSync(addon))
  await build({
    entryPoints: [entry],
    outfile: join(directory, 'index.js'),
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20.18',
    legalComments: 'none',
    logLevel: 'warning',
    plugins: [besideIt],
  })
  const { name, version, license } = about
  writeFileSync(
    join(directory, 'package.json'),
    `${JSON.stringify({ name, version, license, main: 'index.js' })}\n`,
  )
  return { version, addon, licence: readFileSync(join(source, 'LICENSE'), 'utf8') }
}

function partsOf(source, { version }, { platform, arch, version: nodeVersion }) {
  const target = `${platform}-${arch}`
  const isPrebuilt = Number(version.split('.')[0]) >= WITH_PREBUILT
  const major = Number(nodeVersion.split('.')[0])
  if (isPrebuilt && major < 22) {
    throw new Error(
      `better-sqlite3 ${version} needs Node 22 or newer, and this is ${nodeVersion}: install 12.9.0`,
    )
  }
  const parts = isPrebuilt
    ? { entry: join(source, `lib/${target}.js`), addon: join(source, `prebuilds/${target}.node`) }
    : { entry: join(source, 'lib/index.js'), addon: join(source, 'build/Release', ADDON) }
  const isHere =
    target === `${process.platform}-${process.arch}` && major === Number(process.versions.node.split('.')[0])
  if (!existsSync(parts.addon) || (!isPrebuilt && !isHere)) {
    throw new Error(`better-sqlite3 ${version} has no addon for Node ${nodeVersion} on ${target}: \
unpack 13.2 or newer (npm pack better-sqlite3@13.2), which brings one for each platform, and name it with --driver`)
  }
  return parts
}

/** Lets the script load the addon that is beside it, however the package looks for its own. */
const besideIt = {
  name: 'addon beside the script',
  setup(bundle) {
    bundle.onResolve({ filter: /\.node$/ }, () => ({ path: `./${ADDON}`, external: true }))
    bundle.onResolve({ filter: /^bindings$/ }, () => ({ path: 'bindings', namespace: 'beside' }))
    bundle.onLoad({ filter: /./, namespace: 'beside' }, () => ({
      contents: `module.exports = () => require('./${ADDON}')`,
    }))
  },
}
