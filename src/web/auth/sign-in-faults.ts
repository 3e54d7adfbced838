import type { RaayError } from '../../client/raay-error.js'
import type { FieldFault } from '../forms/field-faults.js'
import { faultOf } from '../forms/field-faults.js'
import { timeLeftText } from '../kit/time-texts.js'
import { t } from '../texts/account.js'

/** Refusals in the words of the forms, by reason, each at its field if it has one. */
const BY_REASON: Readonly<Record<string, FieldFault>> = {
  sign_in_failed: { field: 'password', words: t.wrongNameOrPassword },
  name_taken: {
    field: 'name',
    words: t.nameTaken,
  },
  invitation_missing: foot(t.needInvitation),
  invitation_wrong: foot(t.invitationWrong),
  recovery_wrong: foot(t.recoveryWrong),
  code_wrong: foot(t.codeWrong),
  account_disabled: foot(t.accountDisabled),
  password_off: foot(t.passwordOff),
  provider_session: foot(t.providerSession),
  provider_down: foot(t.providerDown),
  provider_refused: foot(t.providerRefused),
  group_missing: foot(t.groupMissing),
  state_wrong: foot(t.stateWrong),
  identity_taken: foot(t.identityTaken),
  identity_needed: foot(t.identityNeeded),
  passkey_wrong: foot(t.passkeyWrong),
  busy: foot(t.tooManySignIns),
  sign_in_closed: foot(t.signInClosedMore),
}

/** The API’s texts about names and passwords in plain words. */
const BY_TEXT: Readonly<Record<string, string>> = {
  'name: Required': t.userNameMissing,
  'name: Expected 2 to 32 characters': t.nameLength,
  'name: Expected letters of one script, digits, ".", "_" and "-", and a letter or digit first':
    t.nameLetters,
  'password: Expected 10 to 256 characters': t.passwordLength,
  'password: Expected something other than the name': t.passwordIsName,
  'password: Expected a password that fewer people use': t.passwordCommon,
}

/** Returns what a refused sign-in, sign-up or change of password means in its form. */
export function signInFault(error: RaayError, fields: readonly string[]): FieldFault {
  if (error.reason === 'too_many_requests') {
    return foot(t.tooManyAttempts(timeLeftText(error.retryAfterMs ?? 0)))
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
