// Unpacks the bundle into a directory whose name is the hash of its contents, and checks what is there already.
// Every file is written beside its place and renamed into it: a run that is killed leaves missing files and never
// half of one, and two first runs at once write the same bytes. Each run compares every file with its hash.
import { createHash } from 'node:crypto'
import {
  closeSync,
  lstatSync,
  mkdirSync,
  openSync,
  readSync,
  realpathSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

const OTHERS_MAY_WRITE = 0o022
const STICKY = 0o1000
const ROOT = 0

/**
 * Makes the bundle's directory below `base` complete, and loads the native addon from it.
 *
 * @param manifest the directory's name, the addon's path, and path, size and hash of each file
 * @param contents returns the bytes of a file
 * @returns the directory. Throws if this is not possible, or if another user could change what would be run
 */
export function unpackInto(base, { name, addon, files }, contents) {
  mkdirSync(base, { recursive: true, mode: 0o700 })
  const real = realpathSync(base)
  checkOwnerOf(real)
  checkAbove(real)
  const directory = join(real, name)
  for (const inner of new Set(files.map(({ path }) => dirname(join(directory, path))))) {
    mkdirSync(inner, { recursive: true, mode: 0o700 })
    checkOwnerOf(inner)
  }
  // One for all: what is read here would otherwise stay in memory for the life of the exchange.
  const buffer = Buffer.allocUnsafeSlow(Math.max(...files.map(({ bytes }) => bytes)))
  const place = file => {
    if (!isIntact(join(directory, file.path), file, buffer))
      write(join(directory, file.path), contents(file.path))
  }
  place(files.find(({ path }) => path === addon))
  load(join(directory, addon), directory)
  files.forEach(place)
  return directory
}

/** Loads the addon, which needs a file system that may run programs. Removes the directory if it cannot be loaded. */
function load(addon, directory) {
  try {
    createRequire(addon)(addon)
  } catch (error) {
    rmSync(directory, { recursive: true, force: true })
    try {
      rmdirSync(dirname(directory))
    } catch {
      // Something else is in it.
    }
    throw error
  }
}

function isIntact(path, { bytes, sha256 }, buffer) {
  const found = lstatSync(path, { throwIfNoEntry: false })
  if (found === undefined || !found.isFile() || !isOurs(found) || found.size !== bytes) return false
  const file = openSync(path)
  try {
    const end = readSync(file, buffer, 0, bytes, 0)
    return createHash('sha256').update(buffer.subarray(0, end)).digest('hex') === sha256
  } finally {
    closeSync(file)
  }
}

function write(path, bytes) {
  const beside = `${path}.${process.pid}.tmp`
  try {
    rmSync(beside, { force: true })
    writeFileSync(beside, bytes, { mode: 0o600, flag: 'wx' })
    renameSync(beside, path)
  } catch (error) {
    rmSync(beside, { force: true })
    throw error
  }
}

/** Throws unless a directory belongs to this user, and nobody else may write to it. */
function checkOwnerOf(path) {
  const found = lstatSync(path)
  if (!found.isDirectory()) throw new Error(`${path} is not a directory`)
  if (!isOurs(found)) throw new Error(`${path} belongs to another user, or others may write to it`)
}

/** Throws if another user may replace one of the directories above. */
function checkAbove(path) {
  const above = dirname(path)
  if (above === path) return
  const { uid, mode } = lstatSync(above)
  const isTrusted = uid === ROOT || uid === process.geteuid()
  if (!isTrusted) throw new Error(`${above} belongs to another user`)
  if ((mode & OTHERS_MAY_WRITE) !== 0 && (mode & STICKY) === 0)
    throw new Error(`others may write to ${above}`)
  checkAbove(above)
}

const isOurs = ({ uid, mode }) => uid === process.geteuid() && (mode & OTHERS_MAY_WRITE) === 0
