// Makes one executable of the bundle and a Node: release/raay-<platform>-<arch>, with its checksum beside it.
// usage: node bin/build-binary.js [--node <binary or unpacked archive>] [--driver <better-sqlite3>] [--out <directory>]
// Without --node it is the Node that runs this script. For another platform give the archive of its Node, in the
// version that runs this script, and an unpacked better-sqlite3 13.2 or newer.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { brotliCompressSync, constants } from 'node:zlib'
import { build } from 'esbuild'
import { inject } from 'postject'
import { writeDriver } from './binary/driver.js'
import { describeNode, strip } from './binary/node-binary.js'
import { writeChecksums } from './packages/checksums.js'

const root = fileURLToPath(new URL('..', import.meta.url))
const DRIVER = 'node_modules/better-sqlite3'
/** Node looks for this text, and for the section of this name. */
const FUSE = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2'
const SECTION = 'NODE_SEA_BLOB'
const BYTES_MAX = 95_000_000
const IS_MAC = process.platform === 'darwin'
/** Of brotli: 11 would take ten times as long, for 0.2 MB less. */
const QUALITY = 9

const { values } = parseArgs({
  options: {
    node: { type: 'string', default: process.execPath },
    driver: { type: 'string', default: join(root, DRIVER) },
    out: { type: 'string', default: join(root, 'release') },
    platform: { type: 'string' },
    arch: { type: 'string' },
  },
})
const work = mkdtempSync(join(tmpdir(), 'raay-binary-'))
try {
  await makeBinary()
} catch (error) {
  process.stderr.write(`build-binary: ${error.message}\n`)
  process.exitCode = 1
} finally {
  rmSync(work, { recursive: true, force: true })
}

async function makeBinary() {
  const node = describeNode(values.node)
  const { platform = node.platform, arch = node.arch } = values
  if (platform !== node.platform || arch !== node.arch) {
    throw new Error(
      `${node.binary} is for ${node.platform}-${node.arch}, not ${platform}-${arch}; name another with --node`,
    )
  }
  const name = `raay-${platform}-${arch}`
  const isForMac = platform === 'darwin'
  const { driver, files } = await bundleFiles(node)
  const blob = await blobOf(files, node)

  const binary = join(work, name)
  writeFileSync(binary, node.bytes, { mode: 0o755 })
  if (!strip(binary, node)) say(`nothing here can strip a binary for ${platform}-${arch}: it stays larger`)
  if (isForMac) codesign('--remove-signature', binary)
  const segment = isForMac ? { machoSegmentName: 'NODE_SEA' } : {}
  await quietly(() => inject(binary, SECTION, blob, { sentinelFuse: FUSE, ...segment }))
  if (isForMac) codesign('--sign', '-', binary)

  const out = resolve(values.out)
  mkdirSync(out, { recursive: true })
  cpSync(binary, join(out, `${name}.tmp`))
  renameSync(join(out, `${name}.tmp`), join(out, name))
  writeChecksums(out)
  const { size } = statSync(join(out, name))
  say(
    `${join(out, name)}: ${(size / 1e6).toFixed(1)} MB, Node ${node.version}, better-sqlite3 ${driver.version} with ${driver.addon}`,
  )
  if (size > BYTES_MAX) say(`it is larger than ${BYTES_MAX / 1e6} MB`)
  if (isForMac && !IS_MAC) say(`it runs once it is signed, on a Mac: codesign --force --sign - ${name}`)
}

/** Signs a binary, which macOS demands. Only a Mac can. */
function codesign(...args) {
  if (IS_MAC) execFileSync('codesign', args)
}

/** Copies the bundle, and adds the driver, the loader and the licences of both and of Node. */
async function bundleFiles(node) {
  const directory = join(work, 'bundle')
  cpSync(join(root, 'dist/bundle'), directory, { recursive: true })
  cpSync(join(root, 'bin/binary/inside/load.cjs'), join(directory, 'load.cjs'))
  const driver = await writeDriver(resolve(values.driver), join(directory, DRIVER), node)
  const licences = join(directory, 'licences.txt')
  const added = [
    `better-sqlite3 ${driver.version}, with SQLite, which is in the public domain`,
    driver.licence,
    `Node.js ${node.version}`,
    node.licence,
  ]
  writeFileSync(licences, [readFileSync(licences, 'utf8'), ...added].join('\n\n'))
  const paths = readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath, entry.name))
  return { driver, files: new Map(paths.sort().map(path => [relative(directory, path), path])) }
}

/** Makes the blob that is injected: the main script, the files, and the list of them. */
async function blobOf(files, node) {
  const main = join(work, 'main.cjs')
  await build({
    entryPoints: [join(root, 'bin/binary/inside/main.js')],
    outfile: main,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20.18',
    logLevel: 'warning',
  })
  const manifest = join(work, 'manifest.json')
  writeFileSync(manifest, JSON.stringify(manifestOf(files)))
  const output = join(work, 'blob')
  const config = join(work, 'config.json')
  const assets = { manifest }
  for (const [path, file] of files) {
    assets[path] = join(work, `asset-${Object.keys(assets).length}`)
    const params = { [constants.BROTLI_PARAM_QUALITY]: QUALITY }
    writeFileSync(assets[path], brotliCompressSync(readFileSync(file), { params }))
  }
  writeFileSync(config, JSON.stringify({ main, output, assets, disableExperimentalSEAWarning: true }))
  execFileSync(blobMaker(node), ['--experimental-sea-config', config], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  return readFileSync(output)
}

/** The same version of Node must make the blob and read it. */
function blobMaker({ binary, platform, arch, version }) {
  if (platform === process.platform && arch === process.arch) return binary
  if (version === process.versions.node) return process.execPath
  throw new Error(
    `this is Node ${process.versions.node}, and ${binary} is ${version}: run this script with that version`,
  )
}

function manifestOf(paths) {
  const files = [...paths].map(([path, file]) => {
    const bytes = readFileSync(file)
    return { path, bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') }
  })
  const name = createHash('sha256').update(JSON.stringify(files)).digest('hex').slice(0, 32)
  const scripts = files.map(({ path }) => path).filter(path => /^[\w-]+\.js$/.test(path))
  return { name, addon: `${DRIVER}/better_sqlite3.node`, scripts, files }
}

/** Runs postject without what it writes about sections that it does not need. */
async function quietly(run) {
  const { warn, log } = console
  console.warn = () => {}
  console.log = () => {}
  try {
    await run()
  } finally {
    Object.assign(console, { warn, log })
  }
}

function say(text) {
  process.stdout.write(`${text}\n`)
}
