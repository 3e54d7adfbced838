import { useSignalEffect } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { authSession, signOut } from '../auth/auth-session.js'
import { useAction } from '../forms/action.js'
import { FormFoot } from '../forms/form-foot.jsx'
import { t } from '../texts/admin-frame.js'
import { access, reach } from './admin-access.js'
import { checkAccess } from './check-access.js'
import { FirstAdmin } from './first-admin.jsx'
import { OperatorSignIn } from './operator-sign-in.jsx'

const CHECK_PAUSE_MS = 1500

/** Shows its children to an authorised operator, and a sign-in form or an explanation to others. */
export function AccessGate({ children }: { readonly children: ComponentChildren }) {
  useSignalEffect(() => {
    if (access.value !== 'asking') return
    let pause: ReturnType<typeof setTimeout> | undefined
    let isOver = false
    const ask = async () => {
      await checkAccess()
      if (!isOver && access.peek() === 'asking') pause = setTimeout(ask, CHECK_PAUSE_MS)
    }
    void ask()
    return () => {
      isOver = true
      clearTimeout(pause)
    }
  })
  switch (access.value) {
    case 'in':
      return <>{children}</>
    case 'asking':
      return (
        <p class="empty" role="status" aria-busy={reach.value !== 'offline'}>
          {reach.value === 'offline' ? t.notResponding : t.connectingNow}
        </p>
      )
    case 'signed_out':
      return <OperatorSignIn />
    case 'first_admin':
      return <FirstAdmin />
    case 'other_role':
      return <OtherRole />
  }
}

/** Tells a trader that these pages are not for them. */
function OtherRole() {
  const { fault, isBusy, run } = useAction()
  const { userid, role } = authSession.value?.caller ?? {}
  return (
    <section class="card gate">
      <h1>{t.forOperators}</h1>
      <p>
        <b>{userid}</b>: {t.otherRole(role ?? '')}
      </p>
      <FormFoot fault={fault}>
        <a class="button" href="/">
          {t.toMarkets}
        </a>
        <button type="button" class="button" disabled={isBusy} onClick={() => run(() => signOut('/admin'))}>
          {t.signOut}
        </button>
      </FormFoot>
    </section>
  )
}
