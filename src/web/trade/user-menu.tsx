import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
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

/** For exchanges without accounts: asks for a username, and leads to the profile of the one in use. */
function NameButton() {
  const name = userId.value
  if (name !== undefined) {
    return (
      <Menu label={t.tradingAs} name={name}>
        <a href={profileOf(name)}>{t.profile}</a>
        <button type="button" aria-haspopup="dialog" onClick={askForName}>
          {t.changeName}
        </button>
      </Menu>
    )
  }
  return (
    <button type="button" class="button button-main" aria-label={t.chooseName} onClick={askForName}>
      <span class="wide-only">{t.chooseName}</span>
      <span class="narrow-only">{t.username}</span>
    </button>
  )
}

function AccountMenu({ caller }: { readonly caller: Caller }) {
  const fault = useSignal('')
  const leave = () =>
    signOut(location.pathname).catch(error => {
      fault.value = errorText(error)
    })
  return (
    <Menu label={t.signedInAs} name={caller.userid}>
      {typeof caller.userid === 'string' && <a href={profileOf(caller.userid)}>{t.profile}</a>}
      <a href="/account">{t.account}</a>
      {isOperator(caller) && <a href="/admin">{t.admin}</a>}
      <button type="button" onClick={() => void leave()}>
        {t.signOut}
      </button>
      <p class="fault" role="alert">
        {fault.value}
      </p>
    </Menu>
  )
}

interface MenuProps {
  /** Read out before the name. */
  readonly label: string
  readonly name: Caller['userid']
  readonly children: ComponentChildren
}

/** The menu of a user; what leads elsewhere, Escape and a click elsewhere close it. */
function Menu({ label, name, children }: MenuProps) {
  const menu = useRef<HTMLDetailsElement>(null)
  useEffect(() => {
    const close = (event: Event) => {
      const { target } = event
      const isWithin = target instanceof Element && menu.current?.contains(target) === true
      const isElsewhere = !isWithin || target.closest('a, [aria-haspopup]') !== null
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
  return (
    <details class="user-menu" ref={menu}>
      <summary class="button user-button">
        <span>
          <span class="unseen">{label}</span>
          {name}
        </span>
      </summary>
      <div class="card user-menu-items">{children}</div>
    </details>
  )
}

const profileOf = (name: string) => `/people/${encodeURIComponent(name)}`
