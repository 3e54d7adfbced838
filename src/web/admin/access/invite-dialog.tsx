import { useSignal } from '@preact/signals'
import type { Role } from '../../../api/auth/auth-shape.js'
import { callAuth } from '../../auth/auth-client.js'
import { signInFault } from '../../auth/sign-in-faults.js'
import { CopyLine } from '../../forms/copy-line.jsx'
import { FormField } from '../../forms/form-field.jsx'
import { FormFoot } from '../../forms/form-foot.jsx'
import { Modal } from '../../kit/modal.jsx'
import { dayTimeText } from '../../kit/time-texts.js'
import { t } from '../../texts/admin-access.js'
import { t as frame } from '../../texts/admin-frame.js'
import { useOperatorAction } from '../operator-action.js'
import { RoleChoice } from './role-choice.jsx'

interface Link {
  readonly url: string
  readonly expires_at: string
}

/** Makes an invitation and shows its link once. */
export function InviteDialog({ onEnd }: { readonly onEnd: () => void }) {
  const made = useSignal<Link | undefined>(undefined)
  return (
    <Modal class="picker" onClose={onEnd} aria-labelledby="invite-title">
      {made.value === undefined ? (
        <InviteForm
          onMade={link => {
            made.value = link
          }}
          onLeave={onEnd}
        />
      ) : (
        <div class="form">
          <h2 id="invite-title">{t.sendLink}</h2>
          <LinkOnce label={t.invitationLink} link={made.value} />
          <div class="picker-foot">
            <button type="button" class="button button-main" onClick={onEnd}>
              {t.done}
            </button>
          </div>
        </div>
      )}
    </Modal>
  )
}

/** A link that works once and is shown once. */
export function LinkOnce({ label, link }: { readonly label: string; readonly link: Link }) {
  return (
    <>
      <CopyLine label={label} text={link.url} />
      <p class="note">{t.worksOnce(dayTimeText(link.expires_at))}</p>
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
      <h2 id="invite-title">{t.inviteSomebody}</h2>
      <RoleChoice role={role} />
      <FormField name="name" label={t.optionalName} hint={t.optionalNameHint} text={name} fault={fault} />
      <FormFoot fault={fault}>
        <button type="button" class="button" onClick={onLeave}>
          {frame.cancel}
        </button>
        <button type="submit" class="button button-main" disabled={isBusy}>
          {t.createInvitation}
        </button>
      </FormFoot>
    </form>
  )
}
