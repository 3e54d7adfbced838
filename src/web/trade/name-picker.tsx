import { signal, useSignal } from '@preact/signals'
import { Modal } from '../kit/modal.jsx'
import { t } from '../texts/frame.js'
import { namesBefore, pickName, userId } from './session.js'

const isOpen = signal(false)

/** Opens the dialog that asks for a username. */
export function askForName(): void {
  isOpen.value = true
}

/** Lets a visitor choose the username to trade under. */
export function NamePicker() {
  const close = () => {
    isOpen.value = false
  }
  if (!isOpen.value) return null
  return (
    <Modal class="picker" onClose={close} aria-labelledby="picker-title">
      <NameForm close={close} />
    </Modal>
  )
}

function NameForm({ close }: { readonly close: () => void }) {
  const fault = useSignal<string | undefined>(undefined)
  const name = useSignal('')
  const pick = (text: string | undefined) => {
    fault.value = pickName(text)
    if (fault.value === undefined) close()
  }
  const submit = (event: Event) => {
    event.preventDefault()
    pick(name.value)
  }
  return (
    <form onSubmit={submit}>
      <h2 id="picker-title">{t.chooseName}</h2>
      <p class="soft">{t.noPasswords}</p>
      <label>
        <span class="faint">{t.username}</span>
        <input
          class="field"
          value={name.value}
          onInput={event => {
            name.value = event.currentTarget.value
            fault.value = undefined
          }}
          maxLength={128}
          autocomplete="username"
          aria-invalid={fault.value !== undefined}
          aria-describedby="picker-fault"
        />
      </label>
      <p id="picker-fault" class="fault" role="alert">
        {fault.value}
      </p>
      <NamesBefore onPick={pick} />
      <div class="picker-foot">
        {userId.value !== undefined && (
          <button type="button" class="button" onClick={() => pick(undefined)}>
            {t.logOut}
          </button>
        )}
        <button type="button" class="button" onClick={close}>
          {t.cancel}
        </button>
        <button type="submit" class="button button-main">
          {t.startTrading}
        </button>
      </div>
    </form>
  )
}

function NamesBefore({ onPick }: { readonly onPick: (name: string) => void }) {
  if (namesBefore.value.length === 0) return null
  return (
    <fieldset>
      <legend class="faint">{t.namesBefore}</legend>
      <div class="chips">
        {namesBefore.value.map(name => (
          <button key={name} type="button" class="chip" onClick={() => onPick(name)}>
            {name}
          </button>
        ))}
      </div>
    </fieldset>
  )
}
