import { z } from 'zod'
import { dateTime, storedText } from '../validation.js'

export const roleField = z
  .enum(['viewer', 'trader', 'operator', 'admin'])
  .meta({ description: 'Each role has the rights of those before it; admins also manage accounts' })
export const scopeField = z
  .enum(['read', 'trade', 'money', 'operate'])
  .meta({ description: 'money: deposits and withdrawals; operate: everything else of an operator' })

const NAME_LENGTH_MAX = 128
const TEXT_LENGTH_MAX = 1024
const LABEL_LENGTH_MAX = 64
/** Codes of some providers are tokens of their own. */
const PROVIDER_LENGTH_MAX = 8192
/** Browsers take a second slash or a backslash for the beginning of a host name. */
const LOCAL_PATH = /^\/(?![/\\])[^\\\p{Cc}]*$/u
const KEY_ADDRESSES_MAX = 20

/** Limits what is hashed and compared; the rules for new names and passwords are stricter. */
const nameField = storedText
  .min(1, 'Required')
  .max(NAME_LENGTH_MAX, `Expected at most ${NAME_LENGTH_MAX} characters`)
  .meta({ description: 'The name of the account, in any case', examples: ['asha'] })
const passwordField = z
  .string()
  .max(TEXT_LENGTH_MAX, `Expected at most ${TEXT_LENGTH_MAX} characters`)
  .meta({ description: '10 to 256 characters of any kind', format: 'password' })
const endKeysField = z.boolean().default(false).meta({
  description: 'Also revokes all API keys of the account, and those that it made for other accounts',
})
const tokenField = z.string().max(TEXT_LENGTH_MAX, `Expected at most ${TEXT_LENGTH_MAX} characters`)
const providerField = z
  .string()
  .min(1, 'Required')
  .max(PROVIDER_LENGTH_MAX, `Expected at most ${PROVIDER_LENGTH_MAX} characters`)
const labelField = storedText
  .min(1, `Expected 1 to ${LABEL_LENGTH_MAX} characters`)
  .max(LABEL_LENGTH_MAX, `Expected 1 to ${LABEL_LENGTH_MAX} characters`)

/** The answer of a browser to the options of WebAuthn, in JSON. */
const credentialField = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z.looseObject({
    id: tokenField,
    rawId: tokenField,
    type: z.literal('public-key'),
    clientExtensionResults: z.looseObject({}),
    response: z.looseObject({ clientDataJSON: z.string(), ...shape }),
  })

/** The bodies of the requests below `/auth`. */
export const authSchemas = {
  signUp: z
    .strictObject({
      name: nameField,
      password: passwordField,
      invitation: tokenField.optional().meta({ description: 'The token of an invitation' }),
    })
    .meta({ id: 'SignUp' }),
  login: z.strictObject({ name: nameField, password: passwordField }).meta({ id: 'Login' }),
  code: z.strictObject({ code: tokenField.meta({ description: 'The code of a link' }) }),
  oidcStart: z
    .strictObject({
      return_to: z
        .string()
        .max(TEXT_LENGTH_MAX, `Expected at most ${TEXT_LENGTH_MAX} characters`)
        .regex(LOCAL_PATH, 'Expected a path of this site, such as /portfolio')
        .default('/')
        .meta({ description: 'The page to go to afterwards' }),
      link: z
        .boolean()
        .default(false)
        .meta({ description: 'Links the account that is signed in, instead of signing in' }),
    })
    .meta({ id: 'ProviderStart' }),
  oidcFinish: z
    .strictObject({
      state: tokenField,
      code: providerField.optional().meta({ description: 'Left out if the provider sent an error' }),
      iss: tokenField.optional().meta({ description: 'The issuer, if the provider sent it' }),
    })
    .meta({ id: 'ProviderFinish' }),
  password: z
    .strictObject({ current: passwordField, password: passwordField, end_keys: endKeysField })
    .meta({ id: 'PasswordChange' }),
  recover: z
    .strictObject({
      token: tokenField.meta({ description: 'The token of a recovery link' }),
      password: passwordField,
      end_keys: endKeysField,
    })
    .meta({ id: 'Recovery' }),
  key: z
    .strictObject({
      name: labelField.meta({ description: 'What the key is for' }),
      scopes: z.array(scopeField).max(4, 'Expected at most 4'),
      addresses: z
        .array(z.string())
        .max(KEY_ADDRESSES_MAX, `Expected at most ${KEY_ADDRESSES_MAX}`)
        .optional()
        .meta({ description: 'Addresses and networks from which it may be used, such as 203.0.113.0/24' }),
      expires_at: dateTime.optional(),
      user: nameField.optional().meta({ description: 'Admins: the account that the key is for' }),
    })
    .meta({ id: 'NewKey' }),
  passkey: z
    .strictObject({
      name: labelField.meta({ description: 'The device' }),
      response: credentialField({ attestationObject: z.string() }),
    })
    .meta({ id: 'NewPasskey' }),
  passkeyName: z
    .strictObject({ name: labelField.meta({ description: 'The device' }) })
    .meta({ id: 'PasskeyName' }),
  passkeyLogin: z
    .strictObject({
      response: credentialField({
        authenticatorData: z.string(),
        signature: z.string(),
        userHandle: z.string().optional(),
      }),
    })
    .meta({ id: 'PasskeyLogin' }),
  account: z
    .strictObject({
      name: nameField,
      role: roleField,
      password: passwordField.optional().meta({ description: 'Without one, make a recovery link' }),
    })
    .meta({ id: 'NewAccount' }),
  role: z.strictObject({ role: roleField }),
  invitation: z
    .strictObject({
      role: roleField.default('trader'),
      name: nameField.optional().meta({ description: 'Reserves a name, also that of a user who exists' }),
      expires_at: dateTime.optional().meta({ description: 'By default in 7 days, at most 90' }),
    })
    .meta({ id: 'NewInvitation' }),
}
