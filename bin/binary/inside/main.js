// The main script of the executable. It unpacks the bundle into a cache directory, or finds it there, and runs the
// program of it. It becomes one CommonJS file, and may import built-in modules only.
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { getAsset, getRawAsset } from 'node:sea'
import { brotliDecompressSync } from 'node:zlib'
import { candidatesOf, withoutCacheFlag } from './candidates.js'
import { unpackInto } from './unpack.js'

const PROGRAM = 'raay.js'
/** Imports an ES module, which the main script of an executable cannot. */
const LOADER = 'load.cjs'

const manifest = JSON.parse(getAsset('manifest', 'utf8'))
const contents = path => brotliDecompressSync(getRawAsset(path))

function main(argv) {
  const script = ownScript(argv[0])
  const candidates = script === undefined ? candidatesOf(argv, process.env) : [ownCandidate(script)]
  const directory = unpacked(candidates)
  // The verbs know neither the flag nor its variable.
  delete process.env.RAAY_CACHE
  // As Node has it: the script, then its arguments.
  const words =
    script === undefined ? [PROGRAM, ...withoutCacheFlag(argv)] : [basename(script), ...argv.slice(1)]
  const path = join(directory, words[0])
  process.argv = [process.execPath, path, ...words.slice(1)]
  createRequire(path)(join(directory, LOADER))(path)
}

/**
 * Returns the first argument if it is a script of this bundle: the exchange starts processes of its own with
 * `process.execPath` and a script, as with Node.
 */
function ownScript(path) {
  if (path === undefined || basename(dirname(path)) !== manifest.name) return undefined
  return manifest.scripts.includes(basename(path)) ? path : undefined
}

const ownCandidate = script => ({ from: 'the bundle', path: dirname(dirname(script)), isNamed: true })

/** Unpacks into the first directory that allows it, and returns the bundle's directory. Ends the process if none does. */
function unpacked(candidates) {
  const refusals = []
  for (const { from, path, isNamed } of candidates) {
    try {
      const directory = unpackInto(path, manifest, contents)
      const named = refusals.find(refusal => refusal.isNamed)
      if (named !== undefined) say(`${named.text}; using ${path} instead`)
      return directory
    } catch (error) {
      refusals.push({ isNamed, text: `${from} ${path}: ${error.message.split('\n', 1)[0]}` })
    }
  }
  const tried = refusals.map(({ text }) => `\n  ${text}`).join('')
  say(`no directory to unpack into. It must be yours alone, writable, and on a file system that may run \
programs (not mounted with noexec). Name one with --cache or RAAY_CACHE. Tried:${tried}`)
  process.exit(1)
}

function say(text) {
  process.stderr.write(`raay: ${text}\n`)
}

main(process.argv.slice(2))
