import type { Signal } from '@preact/signals'
import { useSignal } from '@preact/signals'
import type { Market, RaayError } from '../../../client/client.js'
import type { FieldFault } from '../../forms/field-faults.js'
import { faultOf } from '../../forms/field-faults.js'
import { FormField } from '../../forms/form-field.jsx'
import { t } from '../../texts/admin-events.js'
import { clients } from '../admin-clients.js'
import { useOperatorAction } from '../operator-action.js'

const BYTES_MAX = 2_000_000
const KINDS = 'image/png,image/jpeg,image/webp'
/** The API's texts about pictures, and the page's. */
const SAID: readonly (readonly [said: RegExp, words: string])[] = [
  [/PNG, JPEG or WebP$/, t.image.kind],
  [/million pixels$/, t.image.pixels],
  [/can be read$/, t.image.damaged],
  [/at most \d+ bytes$|is larger than/, t.image.tooLarge],
]

interface EventImageProps {
  readonly market: Market
  readonly onDone: () => void
}

/** Shows the picture or emoji of an event, and lets the operator change it. */
export function EventImage({ market, onDone }: EventImageProps) {
  const emoji = useSignal('')
  const done = useSignal('')
  const { fault, isBusy, refuse, run } = useOperatorAction(['emoji'], imageFault)
  const { operator } = clients.doing
  const change = (work: () => Promise<unknown>, words: string) =>
    run(async () => {
      done.value = ''
      await work()
      emoji.value = ''
      done.value = words
      onDone()
    })
  const upload = async (file: File | undefined) => {
    if (file === undefined) return
    if (file.size > BYTES_MAX) return refuse({ field: undefined, words: t.image.tooLarge })
    const picture = await base64Of(file)
    await change(() => operator.setMarketImage(market.event_id, { picture }), t.image.saved)
  }
  return (
    <section class="card" aria-labelledby="image-title">
      <div class="card-head">
        <h2 id="image-title">{t.image.title}</h2>
        {market.image !== null && (
          <button
            type="button"
            class="button button-small"
            disabled={isBusy}
            onClick={() => change(() => operator.removeMarketImage(market.event_id), t.image.removed)}
          >
            {t.image.remove}
          </button>
        )}
      </div>
      <form
        class="card-body image-form"
        noValidate
        onSubmit={event => {
          event.preventDefault()
          return change(
            () => operator.setMarketImage(market.event_id, { emoji: emoji.value.trim() }),
            t.image.saved,
          )
        }}
      >
        <Shown image={market.image} />
        <EmojiField emoji={emoji} fault={fault} isBusy={isBusy} />
        <Upload isBusy={isBusy} onFile={upload} />
      </form>
      <p class="card-foot fault" role="alert">
        {fault?.field === undefined && fault?.words}
      </p>
      <p class="card-foot gain" role="status">
        {done.value}
      </p>
    </section>
  )
}

interface EmojiFieldProps {
  readonly emoji: Signal<string>
  readonly fault: FieldFault | undefined
  readonly isBusy: boolean
}

function EmojiField({ emoji, fault, isBusy }: EmojiFieldProps) {
  return (
    <div class="image-emoji">
      <FormField name="emoji" label={t.image.emoji} hint={t.image.emojiHint} text={emoji} fault={fault} />
      <button type="submit" class="button" disabled={isBusy || emoji.value.trim() === ''}>
        {t.image.useEmoji}
      </button>
    </div>
  )
}

interface UploadProps {
  readonly isBusy: boolean
  readonly onFile: (file: File | undefined) => Promise<void>
}

function Upload({ isBusy, onFile }: UploadProps) {
  return (
    <div class="form-field">
      <label for="field-picture">{t.image.file}</label>
      <input
        id="field-picture"
        type="file"
        accept={KINDS}
        disabled={isBusy}
        aria-describedby="note-picture"
        onChange={event => {
          const field = event.currentTarget
          void onFile(field.files?.[0]).finally(() => {
            field.value = ''
          })
        }}
      />
      <p id="note-picture" class="note">
        {t.image.fileHint}
      </p>
    </div>
  )
}

function Shown({ image }: { readonly image: string | null }) {
  if (image === null) return <p class="soft">{t.image.none}</p>
  if (image.startsWith('/')) return <img class="event-image" src={image} alt="" width="96" height="96" />
  return (
    <span class="event-image event-emoji" aria-hidden="true">
      {image}
    </span>
  )
}

/** Puts a refusal of a picture into the words of the page. */
function imageFault(error: RaayError): FieldFault {
  if (/^emoji: /.test(error.message)) return { field: 'emoji', words: t.image.oneEmoji }
  const known = SAID.find(([said]) => error.code < 500 && said.test(error.message))
  return known === undefined ? faultOf(error, []) : { field: undefined, words: known[1] }
}

/** Reads a file as base64. */
async function base64Of(file: File): Promise<string> {
  const reader = new FileReader()
  const read = new Promise<string>((resolve, reject) => {
    reader.onload = () => resolve(String(reader.result))
    reader.onerror = () => reject(reader.error)
  })
  reader.readAsDataURL(file)
  return (await read).replace(/^[^,]*,/, '')
}
