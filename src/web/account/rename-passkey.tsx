import { useSignal } from '@preact/signals'
import { callAuth } from '../auth/auth-client.js'
import { useAction } from '../forms/action.js'
import { FormField } from '../forms/form-field.jsx'
import { FormFoot } from '../forms/form-foot.jsx'
import { Modal } from '../kit/modal.jsx'
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
  const { fault, isBusy, refuse, run } = useAction(['name'], undefined, checkSession)
  const submit = (event: Event) => {
    event.preventDefault()
    const written = text.value.trim()
    if (written === '') return refuse({ field: 'name', words: t.nameMissing })
    return run(async () => {
      await callAuth('PATCH', `/passkeys/${id}`, { body: { name: written } })
      onClose()
      onDone()
    })
  }
  return (
    <Modal class="picker" onClose={onClose} aria-labelledby="rename-title">
      <form class="form" onSubmit={submit} noValidate>
        <h2 id="rename-title">{t.renamePasskey(name)}</h2>
        <FormField name="name" label={t.deviceName} text={text} fault={fault} />
        <FormFoot fault={fault}>
          <button type="button" class="button" onClick={onClose}>
            {t.cancel}
          </button>
          <button type="submit" class="button button-main" disabled={isBusy}>
            {t.save}
          </button>
        </FormFoot>
      </form>
    </Modal>
  )
}
