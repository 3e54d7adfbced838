import { useSignal } from '@preact/signals'
import { callAuth } from '../auth/auth-client.js'
import { useAction } from '../forms/action.js'
import { FormDialog } from '../forms/form-dialog.jsx'
import { FormField } from '../forms/form-field.jsx'
import { t } from '../texts/account.js'
import { checkSession } from './loaded.js'

interface RenamePasskeyProps {
  readonly id: number
  readonly name: string
  readonly onDone: () => void
}

/** A button that opens a dialog with the name of a passkey. */
export function RenamePasskey({ id, name, onDone }: RenamePasskeyProps) {
  const isOpen = useSignal(false)
  const close = () => {
    isOpen.value = false
  }
  return (
    <>
      <button
        type="button"
        class="button button-small"
        aria-label={t.renamePasskey(name)}
        onClick={() => {
          isOpen.value = true
        }}
      >
        {t.rename}
      </button>
      {isOpen.value && <RenameDialog {...{ id, name, onDone }} onClose={close} />}
    </>
  )
}

function RenameDialog({ id, name, onDone, onClose }: RenamePasskeyProps & { readonly onClose: () => void }) {
  const text = useSignal(name)
  const action = useAction(['name'], undefined, checkSession)
  const submit = () => {
    const written = text.value.trim()
    if (written === '') return action.refuse({ field: 'name', words: t.nameMissing })
    return action.run(async () => {
      await callAuth('PATCH', `/passkeys/${id}`, { body: { name: written } })
      onClose()
      onDone()
    })
  }
  return (
    <FormDialog
      {...{ id: 'rename', title: t.renamePasskey(name), action, doIt: t.save, leaveIt: t.cancel }}
      onSubmit={submit}
      onLeave={onClose}
    >
      <FormField name="name" label={t.deviceName} text={text} fault={action.fault} />
    </FormDialog>
  )
}
