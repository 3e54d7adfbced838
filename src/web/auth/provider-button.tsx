import { useAction } from '../forms/action.js'
import { t } from '../texts/account.js'
import { callAuth } from './auth-client.js'
import { signInFault } from './sign-in-faults.js'

interface ProviderButtonProps {
  /** The text of the button. */
  readonly words: string
  /** The page of this site to come back to. */
  readonly returnTo: string
  /** Links the account that is signed in, instead of signing in. */
  readonly isLink?: boolean
}

/** Goes to the OpenID provider, which sends the browser back. */
export function ProviderButton({ words, returnTo, isLink = false }: ProviderButtonProps) {
  const { fault, isBusy, run } = useAction([], error => signInFault(error, []))
  const go = () =>
    run(async () => {
      const body = { return_to: returnTo, link: isLink }
      const { url } = await callAuth<{ readonly url: string }>('POST', '/oidc/start', { body })
      location.assign(url)
    })
  return (
    <div class="provider">
      <button type="button" class="button button-main" disabled={isBusy} onClick={go}>
        {isBusy ? t.signingIn : words}
      </button>
      <p class="fault" role="alert">
        {fault?.words}
      </p>
    </div>
  )
}
