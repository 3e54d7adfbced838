import { Decrypter, Encrypter } from 'age-encryption'
import type { Bytes } from '../backup-store.js'
import type { Identity, Recipient } from './age-keys.js'

/** Encrypts contents to each of the recipients, as a file of age. */
export async function encrypted(contents: Bytes, recipients: readonly Recipient[]): Promise<Bytes> {
  const encrypter = new Encrypter()
  for (const recipient of recipients) encrypter.addRecipient(recipient)
  return encrypter.encrypt(streamOf(contents))
}

/**
 * Decrypts a file of age. Nothing of it is to be trusted before its end has been read: a file that was cut
 * off, or changed, throws there.
 */
export async function decrypted(contents: Bytes, identities: readonly Identity[]): Promise<Bytes> {
  const decrypter = new Decrypter()
  for (const identity of identities) decrypter.addIdentity(identity)
  return decrypter.decrypt(streamOf(contents))
}

/** Makes a stream of the web by hand: that of `Readable.toWeb` throws out of nowhere when it is cancelled. */
function streamOf(contents: Bytes): ReadableStream<Uint8Array> {
  const chunks = contents[Symbol.asyncIterator]()
  return new ReadableStream<Uint8Array>({
    pull: async controller => {
      const { done, value } = await chunks.next()
      if (done === true) controller.close()
      else controller.enqueue(value)
    },
    cancel: async () => {
      await chunks.return?.()
    },
  })
}
