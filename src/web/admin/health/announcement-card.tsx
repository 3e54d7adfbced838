import type { Signal } from '@preact/signals'
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { Announcement } from '../../../client/client.js'
import { AnnouncementBox } from '../../announcement/announcement-bar.jsx'
import { FormField } from '../../forms/form-field.jsx'
import { FormFoot } from '../../forms/form-foot.jsx'
import { dayTimeText } from '../../kit/time-texts.js'
import { t } from '../../texts/admin-health.js'
import { clients } from '../admin-clients.js'
import { momentIn, writtenMoment } from '../events/moment-input.js'
import { useOperatorAction } from '../operator-action.js'

const FIELDS = ['en', 'hi', 'until']
const KINDS = ['info', 'warning'] as const

interface Draft {
  readonly kind: Signal<Announcement['kind']>
  readonly en: Signal<string>
  readonly hi: Signal<string>
  readonly until: Signal<string>
}

/** Scrolls to a part that was not there yet when the browser looked for what the address names. */
function scrollToNamed(): void {
  if (location.hash !== '') document.querySelector(location.hash)?.scrollIntoView()
}

/** Publishes, replaces and removes what everybody sees on top of the pages. */
export function AnnouncementCard() {
  const draft = { kind: useSignal<Announcement['kind']>('info'), ...useTexts() }
  const shown = useSignal<Announcement | null>(null)
  const { fault, isBusy, refuse, run } = useOperatorAction(FIELDS)
  useEffect(scrollToNamed, [])
  const take = (found: Announcement | null) => {
    shown.value = found
    fill(draft, found)
  }
  useEffect(() => {
    void run(async () => take(await clients.asking.operator.fetchAnnouncement()))
  }, [])
  const publish = (event: Event) => {
    event.preventDefault()
    const [en, hi] = [draft.en.value.trim(), draft.hi.value.trim()]
    if (en === '') return refuse({ field: 'en', words: t.announcementMissing })
    const until = draft.until.value === '' ? null : momentIn(draft.until.value)
    if (until === undefined || isHalfTyped(event.currentTarget, 'until'))
      return refuse({ field: 'until', words: t.announcementUntilWrong })
    const body = { kind: draft.kind.value, en, hi: hi === '' ? null : hi, until }
    return run(async () => take(await clients.doing.operator.publishAnnouncement(body)))
  }
  const remove = () => run(() => clients.doing.operator.removeAnnouncement().then(() => take(null)))
  return (
    <section class="card" aria-labelledby="announcement-title">
      <h2 id="announcement-title">{t.announcement}</h2>
      <form class="card-body form" onSubmit={publish} noValidate>
        <p class="faint">{standing(shown.value)}</p>
        <div class="form-line form-line-texts">
          <FormField name="en" label={t.announcementEnglish} text={draft.en} fault={fault} />
          <FormField
            {...{ name: 'hi', label: t.announcementHindi, hint: t.announcementHindiHint }}
            text={draft.hi}
            fault={fault}
          />
          <KindChoice kind={draft.kind} />
          <FormField
            {...{ name: 'until', label: t.announcementUntil, hint: t.announcementUntilHint, kind: 'time' }}
            text={draft.until}
            fault={fault}
          />
        </div>
        <Preview draft={draft} />
        <FormFoot fault={fault}>
          {shown.value !== null && (
            <button type="button" class="button" disabled={isBusy} onClick={remove}>
              {t.announcementRemove}
            </button>
          )}
          <button type="submit" class="button button-main" disabled={isBusy}>
            {shown.value === null ? t.announcementPublish : t.announcementReplace}
          </button>
        </FormFoot>
      </form>
    </section>
  )
}

/** Returns whether a time is typed in part: a browser gives its field the value of an empty one. */
function isHalfTyped(form: EventTarget | null, name: string): boolean {
  const field = form instanceof HTMLFormElement ? form.elements.namedItem(name) : null
  return field instanceof HTMLInputElement && field.validity.badInput
}

function KindChoice({ kind }: Pick<Draft, 'kind'>) {
  return (
    <div class="form-field">
      <label for="field-kind">{t.announcementKind}</label>
      <select
        id="field-kind"
        class="field"
        value={kind.value}
        onChange={event => {
          kind.value = KINDS.find(name => name === event.currentTarget.value) ?? 'info'
        }}
      >
        {KINDS.map(name => (
          <option key={name} value={name}>
            {t.announcementKinds[name]}
          </option>
        ))}
      </select>
    </div>
  )
}

/** Shows what readers of each language will see. */
function Preview({ draft: { kind, en, hi } }: { readonly draft: Draft }) {
  const texts = [en.value.trim(), hi.value.trim()].filter(text => text !== '')
  if (texts.length === 0) return null
  return (
    <div>
      <p class="faint">{t.announcementPreview}</p>
      {texts.map(text => (
        <div key={text} class="announcement-preview">
          <AnnouncementBox kind={kind.value} en={text} hi={null} />
        </div>
      ))}
    </div>
  )
}

function useTexts(): Omit<Draft, 'kind'> {
  return { en: useSignal(''), hi: useSignal(''), until: useSignal('') }
}

/** Fills the form with what is published, so that it can be changed. */
function fill(draft: Draft, found: Announcement | null): void {
  draft.kind.value = found?.kind ?? 'info'
  draft.en.value = found?.en ?? ''
  draft.hi.value = found?.hi ?? ''
  const until = found?.until ?? null
  draft.until.value = until === null ? '' : writtenMoment(Date.parse(until))
}

function standing(shown: Announcement | null): string {
  if (shown === null) return t.announcementNone
  const since = dayTimeText(shown.createdAt)
  return shown.until === null
    ? t.announcementSince(since)
    : t.announcementSinceUntil(since, dayTimeText(shown.until))
}
