import type { Signal } from '@preact/signals'
import { useSignal } from '@preact/signals'
import type { Webhook, WebhookWithSecret } from '../../../client/client.js'
import { ConfirmDialog } from '../../forms/confirm-dialog.jsx'
import { FormField } from '../../forms/form-field.jsx'
import { FormFoot } from '../../forms/form-foot.jsx'
import { FiguresLine } from '../../kit/figures-line.jsx'
import { countText } from '../../kit/number-texts.js'
import { dayTimeText } from '../../kit/time-texts.js'
import { t as frame } from '../../texts/admin-frame.js'
import { t } from '../../texts/admin-webhooks.js'
import { clients } from '../admin-clients.js'
import { numberIn } from '../number-input.js'
import { useOperatorAction } from '../operator-action.js'
import { usePolled } from '../polling.js'
import { Deliveries } from './deliveries.jsx'
import { webhookFault } from './webhook-fault.js'
import { WebhookForm } from './webhook-form.jsx'
import { behindText, nextAttemptText, StateTag } from './webhook-state.jsx'

const POLL_PAUSE_MS = 3000

interface WebhookCardProps {
  readonly webhook: Webhook
  /** Called after each change. */
  readonly onChange: () => void
  readonly onSecret: (made: WebhookWithSecret) => void
  readonly onClose: () => void
}

/** One webhook: how far it is, what operators can do with it, and its last attempts. */
export function WebhookCard(props: WebhookCardProps) {
  const { webhook: shown, onChange, onClose } = props
  const { webhook: id, url, state, old_secret_until, fingerprint, failures, reached_sequence } = shown
  const { value: deliveries, again } = usePolled(
    () => clients.asking.operator.webhooks.fetchDeliveries(id),
    POLL_PAUSE_MS,
    id,
  )
  const changed = () => {
    again()
    onChange()
  }
  return (
    <>
      <section class="card" aria-labelledby="webhook-title">
        <div class="card-head">
          <h2 id="webhook-title">
            {url} <StateTag state={state} />
          </h2>
          <button type="button" class="button button-small" onClick={onClose}>
            {t.close}
          </button>
        </div>
        <FiguresLine
          class="webhook-figures"
          figures={[
            [t.reached, countText(reached_sequence)],
            [t.behind, behindText(shown)],
            [t.failures, countText(failures)],
            [t.nextAttempt, nextAttemptText(shown)],
            [t.fingerprint, fingerprint],
          ]}
        />
        <div class="card-body stack">
          {t.stateNotes[state] !== '' && <p>{t.stateNotes[state]}</p>}
          {old_secret_until !== null && <p>{t.oldSecretUntil(dayTimeText(old_secret_until))}</p>}
          <Acts {...props} onChange={changed} />
        </div>
      </section>
      <Deliveries deliveries={deliveries} />
    </>
  )
}

type Panel = 'edit' | 'replay' | 'delete'

/** The buttons of a webhook, and the form or dialog that one of them opens. */
function Acts(props: WebhookCardProps) {
  const { webhook: shown, onChange, onSecret } = props
  const { webhook: id, state } = shown
  const opened = useSignal<Panel | undefined>(undefined)
  const said = useSignal('')
  const { fault, isBusy, run } = useOperatorAction([], webhookFault)
  const turn = (panel: Panel) => () => {
    opened.value = opened.value === panel ? undefined : panel
  }
  const act = (work: () => Promise<unknown>) => () => {
    said.value = ''
    return run(async () => {
      await work()
      onChange()
    })
  }
  const test = act(async () => {
    const { status, ms, answer } = await clients.patient.operator.webhooks.test(id)
    const time = t.ms(countText(ms))
    said.value = status === null ? t.unanswered(answer) : t.answered(String(status), time)
  })
  const rotate = act(async () => onSecret(await clients.doing.operator.webhooks.rotate(id)))
  const isStopped = state === 'disabled' || state === 'gone' || state === 'failing'
  const able = act(() => clients.doing.operator.webhooks.edit(id, { is_enabled: isStopped }))
  const plain = { type: 'button', class: 'button', disabled: isBusy } as const
  return (
    <>
      <div class="acts">
        <button {...plain} onClick={test}>
          {t.sendTest}
        </button>
        <button {...plain} onClick={rotate}>
          {t.rotate}
        </button>
        <PanelButton words={t.replay} isOpen={opened.value === 'replay'} onTurn={turn('replay')} />
        <PanelButton words={t.edit} isOpen={opened.value === 'edit'} onTurn={turn('edit')} />
        <button {...plain} onClick={able}>
          {isStopped ? t.enable : t.disable}
        </button>
        <button {...plain} class="button button-danger-quiet" onClick={turn('delete')}>
          {t.delete}
        </button>
      </div>
      <div>
        <p role="status">{said.value}</p>
        <p class="fault" role="alert">
          {fault?.words}
        </p>
      </div>
      <OpenedPanel {...props} opened={opened} />
    </>
  )
}

function OpenedPanel(props: WebhookCardProps & { readonly opened: Signal<Panel | undefined> }) {
  const { webhook, opened, onChange } = props
  const leave = () => {
    opened.value = undefined
  }
  const changed = () => {
    leave()
    onChange()
  }
  if (opened.value === 'replay') return <ReplayForm webhook={webhook} onDone={changed} />
  if (opened.value === 'delete') return <DeleteWebhook {...props} onLeave={leave} />
  if (opened.value === undefined) return null
  return (
    <WebhookForm
      webhook={webhook}
      doIt={t.save}
      onSubmit={async entered => {
        await clients.doing.operator.webhooks.edit(webhook.webhook, entered)
        changed()
      }}
    />
  )
}

function DeleteWebhook(props: WebhookCardProps & { readonly onLeave: () => void }) {
  const { webhook, onLeave, onClose, onChange } = props
  const { fault, isBusy, run } = useOperatorAction([], webhookFault)
  const remove = () =>
    run(async () => {
      await clients.doing.operator.webhooks.delete(webhook.webhook)
      onClose()
      onChange()
    })
  return (
    <ConfirmDialog
      title={t.deleteTitle(webhook.url)}
      doIt={t.deleteDo}
      leaveIt={frame.cancel}
      errorMessage={fault?.words ?? ''}
      isBusy={isBusy}
      onDo={remove}
      onLeave={onLeave}
    >
      <p>{t.deleteText}</p>
    </ConfirmDialog>
  )
}

interface PanelButtonProps {
  readonly words: string
  readonly isOpen: boolean
  readonly onTurn: () => void
}

function PanelButton({ words, isOpen, onTurn }: PanelButtonProps) {
  return (
    <button type="button" class="button" aria-expanded={isOpen} onClick={onTurn}>
      {words}
    </button>
  )
}

const REPLAY_FIELDS = ['from_sequence']

function ReplayForm({ webhook, onDone }: { readonly webhook: Webhook; readonly onDone: () => void }) {
  const from = useSignal('')
  const { fault, isBusy, refuse, run } = useOperatorAction(REPLAY_FIELDS, error =>
    webhookFault(error, REPLAY_FIELDS),
  )
  const replay = (event: Event) => {
    event.preventDefault()
    const from_sequence = numberIn(from.value)
    if (from_sequence === undefined) return refuse({ field: 'from_sequence', words: t.replayNumber })
    return run(async () => {
      await clients.doing.operator.webhooks.replay(webhook.webhook, { from_sequence })
      onDone()
    })
  }
  const hint = t.replayHint(countText(webhook.last_sequence))
  return (
    <form class="form" onSubmit={replay} noValidate>
      <FormField
        {...{ name: 'from_sequence', label: t.replayFrom, hint, kind: 'number' }}
        text={from}
        fault={fault}
      />
      <FormFoot fault={fault}>
        <button type="submit" class="button button-main" disabled={isBusy}>
          {t.replayDo}
        </button>
      </FormFoot>
    </form>
  )
}
