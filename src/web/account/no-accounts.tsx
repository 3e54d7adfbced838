import { useEffect } from 'preact/hooks'
import type { SessionStatus } from '../../api/auth/auth-shape.js'
import { setTitle } from '../kit/page-site.js'
import { t } from '../texts/account.js'

/** Says how to trade on an exchange without accounts of its own. */
export function NoAccounts({ mode }: Pick<SessionStatus, 'mode'>) {
  useEffect(() => {
    setTitle(t.signIn)
  }, [])
  return (
    <section class="card gate">
      <h1>{t.noAccounts}</h1>
      <p class="soft">{mode === 'open' ? t.noAccountsOpen : t.noAccountsElsewhere}</p>
      <p>
        <a class="button" href="/">
          {t.toMarkets}
        </a>
      </p>
    </section>
  )
}
