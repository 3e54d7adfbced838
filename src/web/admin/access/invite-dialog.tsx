import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import type { Role } from '../../../api/auth/auth-shape.js'
import { callAuth } from '../../auth/auth-client.js'
import { signInFault } from '../../auth/sign-in-faults.js'
import { CopyLine } from '../../forms/copy-line.jsx'
import { FormField } from '../../forms/form-field.jsx'
import { FormFoot } from '../../forms/form-foot.jsx'
import { dayTimeText } from '../../kit/time-texts.js'
import { useOperatorAction } from '../operator-action.js'
import { RoleChoice } from './role-choice.jsx'

interface Link {
  readonly url: string
  readonly expires_at: string
}

/** Makes an invitation and shows its link once. */
export function InviteDialog({ onEnd }: { readonly onEnd: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null)
  const made = useSignal<Link | undefined>(undefined)
  useEffect(() => {
    dialog.current?.showModal()
  }, [])
  return (
    <dialog class="picker" ref={dialog} onClose={onEnd} aria-labelledby="invite-title">
      {made.value === undefined ? (
        <InviteForm
          onMade={link => {
            made.value = link
          }}
          onLeave={onEnd}
        />
      ) : (
        <div class="form">
          <h2 id="invite-title">Send this link</h2>
          <LinkOnce label="Invitation link" link={made.value} />
          <div class="picker-foot">
            <button type="button" class="button button-main" onClick={onEnd}>
              Done
            </button>
          </div>
        </div>
      )}
    </dialog>
  )
}

/** A link that works once and is shown once. */
export function LinkOnce({ label, link }: { readonly label: string; readonly link: Link }) {
  return (
    <>
      <CopyLine label={label} text={link.url} />
      <p class="note">
        It works once, until {dayTimeText(link.expires_at)}, and is not shown again. Keep it secret.
      </p>
    </>
  )
}

interface InviteFormProps {
  readonly onMade: (link: Link) => void
  readonly onLeave: () => void
}

function InviteForm({ onMade, onLeave }: InviteFormProps) {
  const role = useSignal<Role>('trader')
  const name = useSignal('')
  const { fault, isBusy, run } = useOperatorAction(['name'], error => signInFault(error, ['name']))
  const submit = (event: Event) => {
    event.preventDefault()
    const reserved = name.value.trim()
    const body = { role: role.value, ...(reserved !== '' && { name: reserved }) }
    return run(async () => onMade(await callAuth<Link>('POST', '/invitations', { body })))
  }
  return (
    <form class="form" onSubmit={submit} noValidate>
      <h2 id="invite-title">Invite somebody</h2>
      <RoleChoice role={role} />
      <FormField
        name="name"
        label="Username (optional)"
        hint="Reserves it for them. A username with a balance passes to whoever accepts."
        text={name}
        fault={fault}
      />
      <FormFoot fault={fault}>
        <button type="button" class="button" onClick={onLeave}>
          Cancel
        </button>
        <button type="submit" class="button button-main" disabled={isBusy}>
          Create invitation
        </button>
      </FormFoot>
    </form>
  )
}
