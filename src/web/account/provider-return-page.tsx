import { useEffect } from 'preact/hooks'
import { callAuth } from '../auth/auth-client.js'
import { localPage } from '../auth/next-page.js'
import { signInFault } from '../auth/sign-in-faults.js'
import { useAction } from '../forms/action.js'
import { setTitle } from '../kit/page-site.js'
import { t } from '../texts/account.js'

/** The parameters that the provider sent with the browser. The code leaves the address at once. */
const brought = location.pathname === '/sign-in/oidc' ? new URLSearchParams(location.search) : undefined
if (brought !== undefined) history.replaceState(null, '', location.pathname)

/** Finishes a sign-in with the OpenID provider, and goes on to the page where it began. */
export function ProviderReturnPage() {
  const { fault, run } = useAction([], error => signInFault(error, []))
  useEffect(() => {
    setTitle(t.signIn)
    void run(async () => {
      const part = (name: string) => brought?.get(name) ?? undefined
      const body = { state: part('state') ?? '', code: part('code'), iss: part('iss') }
      const { return_to } = await callAuth<{ readonly return_to: string }>('POST', '/oidc/finish', { body })
      location.replace(localPage(return_to))
    })
  }, [])
  return (
    <section class="card gate">
      <h1>{t.signIn}</h1>
      {fault === undefined ? (
        <p role="status">{t.signingIn}</p>
      ) : (
        <>
          <p class="notice notice-warn" role="alert">
            {fault.words}
          </p>
          <p>
            <a class="button" href="/sign-in">
              {t.backToSignIn}
            </a>
          </p>
        </>
      )}
    </section>
  )
}
