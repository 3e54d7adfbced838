import { existsSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { createPrivateDirectory, writePrivateFile } from '../../store/files/private-files.js'
import { syncPath } from '../../store/files/sync-path.js'
import type { Identity, Recipient } from './age-keys.js'
import { newKeys, readIdentity } from './age-keys.js'

const LENGTH_MAX = 100_000

/**
 * Makes a new secret key in a file of its own, readable by its owner only, as `age-keygen` does; returns the
 * public key. Throws if the file exists.
 */
export async function makeIdentityFile(path: string, now: number): Promise<Recipient> {
  if (existsSync(path)) throw new Error(`${path} is there already: without it, what it opens is lost`)
  const { identity, recipient } = await newKeys()
  createPrivateDirectory(dirname(path))
  const created = new Date(now).toISOString().replace(/\.\d+/, '')
  writePrivateFile(path, `# created: ${created}\n# public key: ${recipient}\n${identity}\n`)
  syncPath(dirname(path))
  return recipient
}

/** Reads the secret keys in a file. Throws, without showing what is in it. */
export function readIdentityFile(path: string): Identity[] {
  let text: string
  try {
    text = readFileSync(path, 'utf8').slice(0, LENGTH_MAX)
  } catch (error) {
    throw new Error(`${path} cannot be read (${(error as NodeJS.ErrnoException).code})`)
  }
  const lines = text.split('\n').map(line => line.trim())
  const identities = lines.flatMap((line, index) => {
    if (line === '' || line.startsWith('#')) return []
    const identity = readIdentity(line)
    if (identity !== undefined) return [identity]
    throw new Error(`${path}, line ${index + 1}, is not a secret key of age (AGE-SECRET-KEY-1…)`)
  })
  if (identities.length === 0) throw new Error(`${path} has no secret key of age (AGE-SECRET-KEY-1…)`)
  return identities
}
