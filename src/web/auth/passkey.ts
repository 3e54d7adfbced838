import { RaayError } from '../../client/raay-error.js'
import { t } from '../texts/account.js'

/** True if this browser can use passkeys. */
export const canUsePasskeys =
  typeof PublicKeyCredential !== 'undefined' && 'parseRequestOptionsFromJSON' in PublicKeyCredential

const REFUSALS: Readonly<Record<string, string>> = {
  NotAllowedError: t.passkeyCancelled,
  InvalidStateError: t.passkeyThere,
}

/** Asks the device for a new passkey. Rejects with RaayError if the person or the device refuses. */
export function createPasskey(options: PublicKeyCredentialCreationOptionsJSON): Promise<unknown> {
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options)
  return answerOf(navigator.credentials.create({ publicKey }))
}

/** Asks the person for one of their passkeys. Rejects with RaayError if the person or the device refuses. */
export function askForPasskey(options: PublicKeyCredentialRequestOptionsJSON): Promise<unknown> {
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options)
  return answerOf(navigator.credentials.get({ publicKey }))
}

async function answerOf(asked: Promise<Credential | null>): Promise<unknown> {
  const credential = await asked.catch((error: Error) => {
    throw refusal(REFUSALS[error.name] ?? t.deviceRefused(error.message))
  })
  if (credential instanceof PublicKeyCredential) return credential.toJSON()
  throw refusal(t.noPasskey)
}

function refusal(words: string): RaayError {
  return new RaayError(403, 'Forbidden', words, { reason: 'passkey_refused' })
}
