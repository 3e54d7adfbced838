import { Decrypter, Encrypter, generateX25519Identity, identityToRecipient } from 'age-encryption'

/** A public key, to which backups are encrypted: `age1…`. */
export type Recipient = string & { readonly [KEY]: 'recipient' }
/** A secret key, which opens them: `AGE-SECRET-KEY-1…`. */
export type Identity = string & { readonly [KEY]: 'identity' }

declare const KEY: unique symbol

/** The kinds that every version of age knows. */
const RECIPIENT = /^age1[0-9a-z]{58}$/
const IDENTITY = /^AGE-SECRET-KEY-1[0-9A-Z]{58}$/

/** Reads a public key; undefined if it is not one, or mistyped. */
export function readRecipient(text: string): Recipient | undefined {
  if (!RECIPIENT.test(text)) return undefined
  try {
    new Encrypter().addRecipient(text)
    return text as Recipient
  } catch {
    return undefined
  }
}

/** Reads a secret key; undefined if it is not one, or mistyped. */
export function readIdentity(text: string): Identity | undefined {
  if (!IDENTITY.test(text)) return undefined
  try {
    new Decrypter().addIdentity(text)
    return text as Identity
  } catch {
    return undefined
  }
}

/** Makes a new secret key and its public key. */
export async function newKeys(): Promise<{ readonly identity: Identity; readonly recipient: Recipient }> {
  const identity = (await generateX25519Identity()) as Identity
  return { identity, recipient: (await identityToRecipient(identity)) as Recipient }
}
