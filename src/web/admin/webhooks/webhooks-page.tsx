import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { Webhook, WebhookWithSecret } from '../../../client/client.js'
import { CopyLine } from '../../forms/copy-line.jsx'
import { countText } from '../../kit/number-texts.js'
import { siteName } from '../../kit/page-site.js'
import type { Column } from '../../kit/table.jsx'
import { t as frame } from '../../texts/admin-frame.js'
import { t } from '../../texts/admin-webhooks.js'
import { clients } from '../admin-clients.js'
import { DataTable } from '../lists/data-table.jsx'
import { ListCard } from '../lists/list-page.jsx'
import { usePolled } from '../polling.js'
import { WebhookCard } from './webhook-card.jsx'
import { WebhookForm } from './webhook-form.jsx'
import { behindText, formatName, nextAttemptText, StateTag } from './webhook-state.jsx'

const POLL_PAUSE_MS = 3000
const ROWS_STEP = 100

/** The servers that hear what happens: how far each is, and one of them in detail. */
export function WebhooksPage() {
  const { value: webhooks, again } = usePolled(
    () => clients.asking.operator.webhooks.fetchWebhooks(),
    POLL_PAUSE_MS,
  )
  const limit = useSignal(ROWS_STEP)
  const chosen = useSignal<string | undefined>(undefined)
  const made = useSignal<WebhookWithSecret | undefined>(undefined)
  useEffect(() => {
    document.title = frame.title(t.title, siteName)
  }, [])
  const choose = (id: string | undefined) => {
    chosen.value = id
  }
  const show = (webhook: WebhookWithSecret | undefined) => {
    made.value = webhook
  }
  const found = webhooks?.find(({ webhook }) => webhook === chosen.value)
  return (
    <>
      <div class="page-head">
        <h1>{t.title}</h1>
        <p class="faint">
          {t.about} <a href="/docs/guides/webhooks">{t.guide}</a>
        </p>
      </div>
      <div class="stack">
        <ListCard name={t.title} count={webhooks?.length} empty={t.empty} limit={limit} step={ROWS_STEP}>
          <DataTable columns={columnsOf(choose)} rows={webhooks ?? []} keyOf={({ webhook }) => webhook} />
        </ListCard>
        {made.value !== undefined && <Secret made={made.value} onDone={() => show(undefined)} />}
        {found === undefined ? (
          <NewWebhook
            onMade={webhook => {
              show(webhook)
              choose(webhook.webhook)
              again()
            }}
          />
        ) : (
          <WebhookCard
            key={found.webhook}
            webhook={found}
            onChange={again}
            onSecret={show}
            onClose={() => choose(undefined)}
          />
        )}
      </div>
    </>
  )
}

function NewWebhook({ onMade }: { readonly onMade: (made: WebhookWithSecret) => void }) {
  return (
    <section class="card" aria-labelledby="new-webhook-title">
      <h2 id="new-webhook-title">{t.newWebhook}</h2>
      <div class="card-body">
        <WebhookForm
          doIt={t.add}
          onSubmit={async ({ url = '', ...entered }) =>
            onMade(await clients.doing.operator.webhooks.create({ url, ...entered }))
          }
        />
      </div>
    </section>
  )
}

interface SecretProps {
  readonly made: WebhookWithSecret
  readonly onDone: () => void
}

function Secret({ made: { url, secret }, onDone }: SecretProps) {
  return (
    <div class="shown-once" role="status">
      <p>
        <b>{t.copySecret(url)}</b> {t.secretOnce}
      </p>
      <CopyLine key={secret} label={t.theSecret} text={secret} />
      <div>
        <button type="button" class="button button-small" onClick={onDone}>
          {t.done}
        </button>
      </div>
    </div>
  )
}

function columnsOf(choose: (id: string) => void): readonly Column<Webhook>[] {
  return [
    {
      ...{ id: 'url', label: t.url, kind: 'wide' },
      cell: ({ url, events, format }) => (
        <>
          <span class="name">{url}</span>
          <small>
            {formatName(format)}: {events.map(event => t.eventNames[event]).join(', ')}
          </small>
        </>
      ),
    },
    { ...{ id: 'state', label: t.state }, cell: ({ state }) => <StateTag state={state} /> },
    { ...{ id: 'behind', label: t.behind, kind: 'number' }, cell: behindText },
    {
      ...{ id: 'failures', label: t.failures, kind: 'number', isRoomy: true },
      cell: ({ failures }) => countText(failures),
    },
    { ...{ id: 'next', label: t.nextAttempt, kind: 'when', isRoomy: true }, cell: nextAttemptText },
    {
      ...{ id: 'act', label: t.manage, isLabelUnseen: true, kind: 'number' },
      cell: ({ webhook }) => (
        <button type="button" class="button button-small" onClick={() => choose(webhook)}>
          {t.manage}
        </button>
      ),
    },
  ]
}
