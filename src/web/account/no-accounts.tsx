import { useEffect } from 'preact/hooks'
import type { SessionStatus } from '../../api/auth/auth-shape.js'

/** Says how to trade on an exchange without accounts of its own. */
export function NoAccounts({ mode }: Pick<SessionStatus, 'mode'>) {
  useEffect(() => {
    document.title = 'Sign in · Raay'
  }, [])
  return (
    <section class="card gate">
      <h1>This exchange has no accounts</h1>
      <p class="soft">
        {mode === 'open'
          ? 'Choose a username on any page and trade with play money. There are no passwords.'
          : 'You sign in at the site or the app that brought you here: it identifies you to the exchange.'}
      </p>
      <p>
        <a class="button" href="/">
          Go to the markets
        </a>
      </p>
    </section>
  )
}
