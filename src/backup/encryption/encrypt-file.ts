import { createHash } from 'node:crypto'
import { createWriteStream, rmSync } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createPrivateFile } from '../../store/files/private-files.js'
import { syncPath } from '../../store/files/sync-path.js'
import type { Bytes } from '../backup-store.js'
import { fileContents } from '../stores/file-contents.js'
import { encrypted } from './age-streams.js'
import type { EncryptTask } from './encrypt-thread.js'
import type { EncryptedFile } from './encrypted-file.js'

/** Encrypts a file into another, durably. If it fails, it leaves nothing behind and throws. */
export async function encryptFile({ source, target, recipients }: EncryptTask): Promise<EncryptedFile> {
  const hash = createHash('sha256')
  let bytes = 0
  async function* counted(contents: Bytes): Bytes {
    for await (const chunk of contents) {
      hash.update(chunk)
      bytes += chunk.length
      yield chunk
    }
  }
  rmSync(target, { force: true })
  createPrivateFile(target)
  try {
    const contents = await encrypted(fileContents(source), recipients)
    // Opens the file that is there: one that it created could appear after it was removed.
    await pipeline(Readable.from(counted(contents)), createWriteStream(target, { flags: 'r+' }))
    syncPath(target)
    return { bytes, sha256: hash.digest('hex') }
  } catch (error) {
    rmSync(target, { force: true })
    throw error
  }
}
