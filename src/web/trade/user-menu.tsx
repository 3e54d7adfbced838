import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import type { Caller } from '../../api/auth/auth-shape.js'
import { authSession, signOut } from '../auth/auth-session.js'
import { isOperator } from '../auth/is-operator.js'
import { signInAddress } from '../auth/next-page.js'
import { path } from '../kit/address.js'
import { errorText } from '../kit/error-text.js'
import { t } from '../texts/frame.js'
import { askForName } from './name-picker.jsx'
import { userId } from './session.js'

/** Shows who trades on this page, and leads to the account or to the sign-in. */
export function UserMenu() {
  const session = authSession.value
  if (session === undefined) return <span class="user-room" />
  if (session.mode === 'open') return <NameButton />
  const { caller, mode } = session
  if (caller !== null && caller.kind === 'session') return <AccountMenu caller={caller} />
  if (userId.value !== undefined) return <span class="tag user-tag">{userId.value}</span>
  if (mode === 'jwt') return <span class="user-room" />
  return (
    <>
      {session.sign_up === 'open' && (
        <a class="button sign-up" href="/sign-up">
          {t.signUp}
        </a>
      )}
      <a class="button button-main" href={signInAddress(path.value)}>
        {t.signIn}
      </a>
    </>
  )
}

function NameButton() {
  return (
    <button
      type="button"
      class={userId.value === undefined ? 'button button-main' : 'button user-button'}
      aria-label={userId.value === undefined ? t.chooseName : undefined}
      onClick={askForName}
    >
      {userId.value === undefined ? (
        <>
          <span class="wide-only">{t.chooseName}</span>
          <span class="narrow-only">{t.username}</span>
        </>
      ) : (
        <span>
          <span class="unseen">{t.tradingAs}</span>
          {userId.value}
        </span>
      )}
    </button>
  )
}

/** The menu of a signed-in user; Escape and a click elsewhere close it. */
function AccountMenu({ caller }: { readonly caller: Caller }) {
  const menu = useRef<HTMLDetailsElement>(null)
  const fault = useSignal('')
  useEffect(() => {
    const close = (event: Event) => {
      const isElsewhere = !(event.target instanceof Node && menu.current?.contains(event.target))
      const isEscape = event instanceof KeyboardEvent && event.key === 'Escape'
      if (menu.current?.open !== true || !(isEscape || (isElsewhere && event.type === 'click'))) return
      menu.current.open = false
      if (isEscape) menu.current.querySelector('summary')?.focus()
    }
    for (const type of ['click', 'keydown']) document.addEventListener(type, close)
    return () => {
      for (const type of ['click', 'keydown']) document.removeEventListener(type, close)
    }
  }, [])
  const leave = () =>
    signOut(location.pathname).catch(error => {
      fault.value = errorText(error)
    })
  return (
    <details class="user-menu" ref={menu}>
      <summary class="button user-button">
        <span>
          <span class="unseen">{t.signedInAs}</span>
          {caller.userid}
        </span>
      </summary>
      <div class="card user-menu-items">
        <a href="/account">{t.account}</a>
        {isOperator(caller) && <a href="/admin">{t.admin}</a>}
        <button type="button" onClick={() => void leave()}>
          {t.signOut}
        </button>
        <p class="fault" role="alert">
          {fault.value}
        </p>
      </div>
    </details>
  )
}
