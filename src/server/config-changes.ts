import type { Identity } from '../access/identity.js'
import { mayReadMarkets } from '../access/rights.js'
import type { Gateway } from '../ws/gateway.js'
import type { Config } from './config/config.js'
import type { LiveConfig } from './live-config.js'
import type { Schedules } from './schedules.js'
import type { ServerFiles } from './server-files.js'

/** Passes changes on to those who hold a setting instead of reading it each time. */
export function passOn(live: LiveConfig, { verifying, backingUp }: Schedules, gateway: Gateway): void {
  live.onChange((now, before) => {
    verifying.change(now.verifyEveryHours)
    void backingUp.change(now.backupPlan)
    expelFormer(gateway, before, now)
  })
}

/** Closes the connections of callers who would no longer be let in. */
function expelFormer(gateway: Gateway, { access: before }: Config, { access: now }: Config): void {
  const isWithdrawn = before.jwt?.secrets.some(secret => !now.jwt?.secrets.includes(secret))
  if (isWithdrawn) gateway.expel(isTokenHolder)
  if (before.publicReads && !now.publicReads) gateway.expel(caller => !mayReadMarkets(caller, now))
}

/** Closes the sockets of credentials that end, and those that a withdrawn key let in. */
export function expelEnded(gateway: Gateway, { accounts, onKeyWithdrawn }: ServerFiles): void {
  accounts.store.onEnded(credential => gateway.authentication.end(credential))
  onKeyWithdrawn(() => gateway.expel(isTokenHolder))
}

function isTokenHolder({ kind }: Identity): boolean {
  return kind === 'jwt'
}
