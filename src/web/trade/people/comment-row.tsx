import { useSignal } from '@preact/signals'
import type { Comment } from '../../../client/shapes.js'
import { authSession } from '../../auth/auth-session.js'
import { isOperator } from '../../auth/is-operator.js'
import { nowMs } from '../../kit/browser-clock.js'
import { errorText } from '../../kit/error-text.js'
import { countText } from '../../kit/number-texts.js'
import { dayTimeText } from '../../kit/time-texts.js'
import { t } from '../../texts/people.js'
import { exchange } from '../exchange-client.js'
import { userId } from '../session.js'
import { agoText } from './figure-texts.js'
import { PeopleLink } from './people-link.jsx'

interface CommentRowProps {
  readonly comment: Comment
  readonly onChanged: () => Promise<void>
}

/** One comment, with buttons for its author and for operators. */
export function CommentRow({ comment, onChanged }: CommentRowProps) {
  const fault = useSignal('')
  const change = (work: () => Promise<unknown>) =>
    work()
      .then(onChanged)
      .catch(error => {
        fault.value = errorText(error)
      })
  const caller = authSession.value?.caller
  return (
    <li class={comment.hidden === null ? 'comment' : 'comment comment-hidden'}>
      <p class="comment-head">
        <PeopleLink name={comment.userid} />
        <PositionTag position={comment.position} />
        <time class="faint" dateTime={comment.createdAt} title={dayTimeText(comment.createdAt)}>
          {agoText(comment.createdAt, nowMs())}
        </time>
      </p>
      <CommentText comment={comment} />
      <div class="comment-acts">
        {comment.userid === userId.value && <RemoveButton comment={comment} change={change} />}
        {caller !== undefined && caller !== null && isOperator(caller) && (
          <HideButton comment={comment} change={change} />
        )}
      </div>
      <p class="fault" role="alert">
        {fault.value}
      </p>
    </li>
  )
}

/** The text as text, or that it is hidden. */
export function CommentText({ comment: { text, hidden } }: { readonly comment: Comment }) {
  return (
    <>
      {hidden !== null && (
        <p class="faint">{hidden.reason === null ? t.hiddenComment : t.hiddenBecause(hidden.reason)}</p>
      )}
      {text !== null && (
        <p class="comment-text" dir="auto">
          {text}
        </p>
      )}
    </>
  )
}

/** The contracts of the author, if the author shows them. */
export function PositionTag({ position }: Pick<Comment, 'position'>) {
  if (position === null) return null
  const { yes, no } = position
  if (yes === 0 && no === 0) return <span class="tag">{t.noPosition}</span>
  return (
    <span class="tag">
      {t.holds} {yes > 0 && <b class="yes">{t.yes(countText(yes))}</b>}{' '}
      {no > 0 && <b class="no">{t.no(countText(no))}</b>}
    </span>
  )
}

interface ActProps {
  readonly comment: Comment
  readonly change: (work: () => Promise<unknown>) => Promise<void>
}

/** Deletes the own comment, after asking. */
function RemoveButton({ comment: { event_id, id, userid }, change }: ActProps) {
  const isAsking = useSignal(false)
  const ask = (isOn: boolean) => () => {
    isAsking.value = isOn
  }
  if (!isAsking.value) {
    return (
      <button type="button" class="link-button" onClick={ask(true)}>
        {t.remove}
      </button>
    )
  }
  const remove = () => change(() => exchange.site.deleteComment(event_id, id, { userid }))
  return (
    <>
      <span>{t.removeSure}</span>
      <button type="button" class="link-button" onClick={() => void remove()}>
        {t.remove}
      </button>
      <button type="button" class="link-button" onClick={ask(false)}>
        {t.keep}
      </button>
    </>
  )
}

/** Hides a comment with a reason, or shows it again; for operators. */
function HideButton({ comment: { event_id, id, hidden }, change }: ActProps) {
  const reason = useSignal<string | undefined>(undefined)
  if (hidden !== null) {
    return (
      <button
        type="button"
        class="link-button"
        onClick={() => void change(() => exchange.site.unhideComment(event_id, id))}
      >
        {t.unhide}
      </button>
    )
  }
  if (reason.value === undefined) {
    return (
      <button
        type="button"
        class="link-button"
        onClick={() => {
          reason.value = ''
        }}
      >
        {t.hide}
      </button>
    )
  }
  return (
    <form
      class="comment-hide"
      onSubmit={event => {
        event.preventDefault()
        void change(() => exchange.site.hideComment(event_id, id, reason.peek() ?? ''))
      }}
    >
      <input
        class="field"
        aria-label={t.hideReason}
        placeholder={t.hideReason}
        required
        value={reason.value}
        onInput={event => {
          reason.value = event.currentTarget.value
        }}
      />
      <button type="submit" class="button button-small">
        {t.hide}
      </button>
    </form>
  )
}
