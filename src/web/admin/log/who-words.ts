import { t } from '../../texts/admin-log.js'

/** Describes how an action was authorised. */
export function whoWords({ who }: { readonly who: string }): string {
  const names: Readonly<Record<string, string>> = {
    loopback: t.thisMachine,
    standby: t.standby,
    token: t.operatorKey,
    open: t.noAuthentication,
  }
  return names[who] ?? who.replace(/^account:/, '')
}
