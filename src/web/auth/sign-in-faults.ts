import type { RaayError } from '../../client/raay-error.js'
import type { FieldFault } from '../forms/field-faults.js'
import { faultOf } from '../forms/field-faults.js'
import { timeLeftText } from '../kit/time-texts.js'

/** Refusals in the words of the forms, by reason, each at its field if it has one. */
const BY_REASON: Readonly<Record<string, FieldFault>> = {
  sign_in_failed: { field: 'password', words: 'Wrong username or password.' },
  name_taken: {
    field: 'name',
    words: 'This username is taken. Choose another; if it is yours, ask the operator for an invitation.',
  },
  invitation_missing: foot('You need an invitation: ask the operator for a link.'),
  invitation_wrong: foot('This invitation is wrong, used or expired. Ask the operator for another.'),
  recovery_wrong: foot('This link is wrong, used or expired. Ask the operator for another.'),
  code_wrong: foot('This link is wrong, used or expired. Make another with raay admin link.'),
  account_disabled: foot('This account is disabled. Ask the operator.'),
  passkey_wrong: foot('This passkey belongs to no account here, or it took too long. Try again.'),
  busy: foot('Too many people are signing in. Try again in a moment.'),
}

/** The API’s texts about names and passwords in plain words. */
const BY_TEXT: Readonly<Record<string, string>> = {
  'name: Required': 'Enter a username.',
  'name: Expected 2 to 32 characters': 'Use 2 to 32 characters.',
  'name: Expected letters of one script, digits, ".", "_" and "-", and a letter or digit first':
    'Use letters of one script, digits and . _ - and begin with a letter or digit.',
  'password: Expected 10 to 256 characters': 'Use 10 to 256 characters.',
  'password: Expected something other than the name': 'Choose something other than your username.',
  'password: Expected a password that fewer people use': 'Too many people use this password. Choose another.',
}

/** Returns what a refused sign-in, sign-up or change of password means in its form. */
export function signInFault(error: RaayError, fields: readonly string[]): FieldFault {
  if (error.reason === 'too_many_requests') {
    return foot(`Too many attempts. Try again in ${timeLeftText(error.retryAfterMs ?? 0)}.`)
  }
  const known = BY_REASON[error.reason ?? '']
  if (known !== undefined)
    return known.field === undefined || fields.includes(known.field) ? known : foot(known.words)
  const found = faultOf(error, fields)
  return found.field === undefined ? found : { ...found, words: BY_TEXT[error.message] ?? found.words }
}

function foot(words: string): FieldFault {
  return { field: undefined, words }
}
