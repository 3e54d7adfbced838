import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Logger } from 'pino'
import { Access } from '../access/access.js'
import type { UsersLike } from '../access/accounts/access-context.js'
import { AccessStore } from '../access/accounts/access-store.js'
import type { HashCost } from '../access/accounts/passwords.js'
import type { JwtSettings } from '../access/jwt/open-jwt.js'
import { openJwt } from '../access/jwt/open-jwt.js'
import type { OidcSettings } from '../access/oidc/oidc-settings.js'
import { OidcProvider } from '../access/oidc/oidc-provider.js'
import { networkKey } from '../access/limits/network-key.js'
import { openOperatorKey } from '../access/operator-key.js'
import type { Sources } from '../exchange/sources.js'
import type { AccountOptions } from '../http/auth/auth-door.js'
import type { CompanionOptions } from '../store/companions/companion.js'
import { DecisionMark } from '../store/companions/decision-mark.js'
import { companionPath } from '../store/files/companion-files.js'
import type { DataDirectory } from '../store/files/data-directory.js'
import type { OidcConfig } from './config/access-config.js'
import type { LiveConfig } from './live-config.js'

/** Identifies callers, and serves accounts with their credentials. */
interface OpenedAccess {
  readonly access: Access
  readonly accounts: AccountOptions
  /** Calls back when the identity provider has withdrawn a key: sockets that it let in close. */
  readonly onKeyWithdrawn: (listener: () => void) => void
  /** Reads the keys of tokens again and writes the audit log where it is time; to be called every second. */
  readonly refresh: () => void
}

interface AccessParts {
  readonly live: LiveConfig
  readonly directory: DataDirectory
  readonly sources: Pick<Sources, 'now' | 'watch'>
  readonly log: Logger
  /** Called once the exchange is open. */
  readonly usersLike: UsersLike
  /** Returns the time of the exchange: it does not follow the machine's clock where that jumps ahead. */
  readonly heldNow: () => number
  /** The exchange that the file of accounts must belong to. */
  readonly of: Pick<CompanionOptions, 'exchange' | 'isLenient' | 'replication'>
  readonly hashCost: HashCost | undefined
}

/**
 * Opens the credentials in a data directory; makes the operator's key and the file of accounts at the first
 * start. Rejects with advice if the keys of tokens cannot be read.
 */
export async function openAccess(parts: AccessParts): Promise<OpenedAccess> {
  const { live, directory, sources, log, usersLike, heldNow, of, hashCost } = parts
  const { path, file } = directory
  const { now, watch } = sources
  const { access, adminToken, network } = live.current
  const operatorKey = adminToken ?? openOperatorKey(path)
  const warn = (message: string) => log.warn(message)
  const listeners: (() => void)[] = []
  const withdrawn = () => {
    for (const listener of listeners) listener()
  }
  const verifier = access.jwt && (await openJwt(liveJwt(live, access.jwt), { now, watch, warn, withdrawn }))
  live.onChange(() => void verifier?.refresh())
  const finder = new AccessStore({
    path: companionPath(file, 'accounts'),
    mark: new DecisionMark(file),
    ...of,
    now: heldNow,
    watch,
    random: randomBytes,
    usersLike,
    mode: access.mode,
    operatorKey,
    get signUps() {
      return live.current.access.signUp
    },
    addressGroup: networkKey,
    provider: access.oidc && new OidcProvider({ settings: withSecret(access.oidc), now, watch, warn }),
    hasPasswords: access.hasPasswords ?? true,
    ...(hashCost && { hashCost }),
  })
  adviseAtStart(live, finder, log)
  return {
    access: new Access({
      mode: access.mode,
      operatorKey,
      get publicReads() {
        return live.current.access.publicReads
      },
      get openCreation() {
        return live.current.access.openCreation
      },
      httpsOnly: network.publicUrl?.startsWith('https:') ?? false,
      finder,
      ...(verifier && { verifier }),
    }),
    accounts: {
      store: finder,
      get signUp() {
        return live.current.access.signUp
      },
      ...{ publicUrl: network.publicUrl, now: heldNow },
    },
    onKeyWithdrawn: listener => listeners.push(listener),
    refresh: () => {
      void verifier?.refresh()
      writeWaiting(finder, log)
    },
  }
}

/** Reads the secret of the exchange at the OpenID provider. Throws with advice if there is none. */
function withSecret({ clientSecretFile, ...settings }: OidcConfig): OidcSettings {
  let clientSecret = ''
  try {
    clientSecret = readFileSync(clientSecretFile, 'utf8').trim()
  } catch (error) {
    throw new Error(`--oidc-client-secret-file is ${clientSecretFile}: it cannot be read: ${error}`)
  }
  if (clientSecret !== '') return { ...settings, clientSecret }
  throw new Error(`--oidc-client-secret-file is ${clientSecretFile}: it is empty`)
}

/** Returns the settings of tokens, with the secrets of the moment. */
function liveJwt(live: LiveConfig, settings: JwtSettings): JwtSettings {
  return {
    ...settings,
    get secrets() {
      return live.current.access.jwt?.secrets ?? settings.secrets
    },
  }
}

/** Writes what waits in the store of accounts; on a full disk it waits on. */
function writeWaiting(store: AccessStore, log: Logger): void {
  try {
    store.beat()
  } catch (error) {
    log.error({ err: error }, 'the audit log of access cannot be written')
  }
}

/**
 * Says what the mode means for credentials that exist, or for the money of new accounts, until there is one:
 * a later start has nothing new to say.
 */
function adviseAtStart({ current }: LiveConfig, store: AccessStore, log: Logger): void {
  const { mode } = current.access
  if (mode !== 'accounts') warnOfIdle(store, mode, log)
  else if (current.startingBalance === 0 && !store.hasAccounts) {
    log.info(
      'new accounts have ₹0: give each money with raay user credit, or begin all with some, for instance ' +
        'with --starting-balance 1000; --site-contact tells users without money whom to ask',
    )
  }
}

/** Says how many credentials of accounts open nothing in this mode, and would again in `accounts`. */
function warnOfIdle(store: AccessStore, mode: string, log: Logger): void {
  const { sessions, keys } = store.countOfAccounts()
  if (sessions + keys === 0) return
  log.warn(
    { sessions, keys },
    `sessions and API keys of accounts are idle in ${mode} mode: they work again in accounts mode; ` +
      'raay key list and raay key revoke work now',
  )
}

/** Returns a link that signs an operator in once; the code is in the fragment, which is never sent. */
export function adminLink(base: string, { adminLinks }: AccessStore): string {
  return `${base}/admin#code=${adminLinks.makeAtStart().code}`
}
