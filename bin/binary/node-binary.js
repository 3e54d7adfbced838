// Reads which Node a binary is, and makes a copy of it smaller.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** The first bytes of a binary, and the platform and architecture that they stand for. */
const ELF = 0x7f454c46
const MACH_O = 0xcffaedfe
const ELF_MACHINES = new Map([
  [0x3e, 'x64'],
  [0xb7, 'arm64'],
])
const MACH_O_CPUS = new Map([
  [0x0100_0007, 'x64'],
  [0x0100_000c, 'arm64'],
])
/** Programs that remove symbols, by architecture; each knows its own, and llvm-strip all. */
const STRIPS = {
  x64: ['x86_64-linux-gnu-strip', 'llvm-strip'],
  arm64: ['aarch64-linux-gnu-strip', 'llvm-strip'],
}

/**
 * Describes a Node: its binary, version, platform, architecture and licence.
 *
 * @param path a binary, or a directory as Node's archives unpack into, with bin/node and LICENSE
 */
export function describeNode(path) {
  const binary = statSync(path).isDirectory() ? join(path, 'bin/node') : path
  const bytes = readFileSync(binary)
  const [, version] = /\/node-v(\d+\.\d+\.\d+)\.tar/.exec(bytes.toString('latin1')) ?? []
  if (version === undefined)
    throw new Error(`${binary} does not say which Node it is; take one from nodejs.org`)
  const licences = [join(dirname(binary), '../LICENSE'), join(dirname(binary), '../share/doc/nodejs/LICENSE')]
  const licence = licences.find(file => existsSync(file))
  if (licence === undefined)
    throw new Error(`the licence of ${binary} is not at ${licences[0]}; take its whole archive`)
  return { binary, bytes, version, licence: readFileSync(licence, 'utf8'), ...machineOf(bytes, binary) }
}

function machineOf(bytes, path) {
  const magic = bytes.readUInt32BE(0)
  const machine =
    magic === ELF
      ? { platform: 'linux', arch: ELF_MACHINES.get(bytes.readUInt16LE(18)) }
      : { platform: magic === MACH_O ? 'darwin' : undefined, arch: MACH_O_CPUS.get(bytes.readUInt32LE(4)) }
  if (machine.platform === undefined || machine.arch === undefined) {
    throw new Error(`${path} is neither a binary of Linux nor of macOS, for x64 or arm64`)
  }
  return machine
}

/** Removes the symbols of a binary. Returns false if no program here can; then it is only larger. */
export function strip(file, { platform, arch }) {
  if (platform === 'darwin') return false
  const own = arch === process.arch ? ['strip'] : []
  return [...own, ...STRIPS[arch]].some(program => spawnSync(program, [file]).status === 0)
}
