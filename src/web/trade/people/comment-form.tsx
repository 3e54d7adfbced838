import { useSignal } from '@preact/signals'
import { LIMITS } from '../../../api/limits.js'
import { authSession } from '../../auth/auth-session.js'
import { errorText } from '../../kit/error-text.js'
import { t } from '../../texts/people.js'
import { enter } from '../entry.js'
import { exchange } from '../exchange-client.js'
import { userId } from '../session.js'
import { changeSetting, settings } from '../settings/page-settings.js'

interface CommentFormProps {
  readonly code: string
  readonly onPosted: () => Promise<void>
}

/** The counter appears when this number of characters is left. */
const COUNTED = 200

/** A form for a comment, or the way to it. */
export function CommentForm({ code, onPosted }: CommentFormProps) {
  const step = stepToComment()
  if (step === undefined) return <Form code={code} onPosted={onPosted} />
  const words = t.enterToComment[step]
  if (words === '') return null
  if (step !== 'choose' && step !== 'sign_in') return <p class="soft">{words}</p>
  return (
    <p>
      <button type="button" class="button" onClick={enter}>
        {words}
      </button>
    </p>
  )
}

/** Returns what is to be done before one can comment; undefined if nothing is. */
function stepToComment(): keyof typeof t.enterToComment | undefined {
  const session = authSession.value
  if (session === undefined) return 'asking'
  if (userId.value === undefined) {
    if (session.mode === 'open') return 'choose'
    return session.mode === 'accounts' ? 'sign_in' : 'elsewhere'
  }
  const mayTrade = session.mode === 'open' || session.caller?.scopes.includes('trade') === true
  return mayTrade ? undefined : 'viewer'
}

/** A comment as it is written. */
function useDraft(code: string, onPosted: () => Promise<void>) {
  const text = useSignal('')
  const fault = useSignal('')
  const isBusy = useSignal(false)
  const post = async () => {
    const userid = userId.peek()
    if (isBusy.peek() || userid === undefined) return
    if (text.peek().trim() === '') {
      fault.value = t.emptyComment
      return
    }
    isBusy.value = true
    fault.value = ''
    try {
      const show_position = settings.peek().comments_position
      await exchange.site.postComment(code, { userid, text: text.peek(), show_position })
      text.value = ''
      await onPosted()
    } catch (error) {
      fault.value = errorText(error)
    }
    isBusy.value = false
  }
  return { text, fault, isBusy, post }
}

function Form({ code, onPosted }: CommentFormProps) {
  const { text, fault, isBusy, post } = useDraft(code, onPosted)
  const left = LIMITS.commentLengthMax - text.value.length
  return (
    <form
      class="comment-form"
      onSubmit={event => {
        event.preventDefault()
        void post()
      }}
    >
      <label for="comment-text" class="unseen">
        {t.yourComment}
      </label>
      <textarea
        id="comment-text"
        class="field"
        rows={text.value === '' ? 2 : 4}
        maxLength={LIMITS.commentLengthMax}
        placeholder={t.placeholder}
        dir="auto"
        value={text.value}
        aria-invalid={fault.value !== ''}
        aria-describedby="comment-fault"
        onInput={event => {
          text.value = event.currentTarget.value
          fault.value = ''
        }}
      />
      <div class="comment-foot">
        <label class="comment-check" title={t.showPositionMeans}>
          <input
            type="checkbox"
            checked={settings.value.comments_position}
            onChange={event => changeSetting('comments_position', event.currentTarget.checked)}
          />
          {t.showPosition}
        </label>
        {left <= COUNTED && <span class="faint">{t.charactersLeft(left)}</span>}
        <button type="submit" class="button button-main" disabled={isBusy.value}>
          {t.post}
        </button>
      </div>
      <p id="comment-fault" class="fault" role="alert">
        {fault.value}
      </p>
    </form>
  )
}
