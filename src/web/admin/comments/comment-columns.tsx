import type { ListedComment } from '../../../client/shapes.js'
import { dayTimeText } from '../../kit/time-texts.js'
import { t as all } from '../../texts/admin-users.js'
import type { Column } from '../../kit/table.jsx'
import { whoWords } from '../log/who-words.js'
import { userAddress } from '../users/user-columns.jsx'

const t = all.moderation

interface CommentActs {
  readonly onHide: (comment: ListedComment) => void
  readonly onShow: (comment: ListedComment) => void
  readonly onDelete: (comment: ListedComment) => void
}

/** Returns the columns of the list of comments; narrow screens show all of a comment in the first. */
export function commentColumns(acts: CommentActs): readonly Column<ListedComment>[] {
  return [
    {
      ...{ id: 'comment', label: t.comment },
      cell: comment => (
        <>
          <p class="moderated" dir="auto">
            {comment.text}
          </p>
          <HiddenNote hidden={comment.hidden} />
          <p class="cell-note narrow-only">
            <UserLink comment={comment} /> · {dayTimeText(comment.createdAt)} ·{' '}
            <EventLink comment={comment} />
          </p>
        </>
      ),
      csv: ({ text }) => text,
    },
    {
      ...{ id: 'event', label: all.event, isRoomy: true },
      cell: comment => <EventLink comment={comment} />,
      csv: ({ event_id }) => event_id,
    },
    {
      ...{ id: 'user', label: all.user, kind: 'name', isRoomy: true },
      cell: comment => (
        <span class="moderated-user">
          <UserLink comment={comment} />
        </span>
      ),
      csv: ({ userid }) => userid,
    },
    {
      ...{ id: 'time', label: all.time, isRoomy: true },
      cell: ({ createdAt }) => <span class="log-time">{dayTimeText(createdAt)}</span>,
      csv: ({ createdAt }) => createdAt,
    },
    {
      ...{ id: 'acts', label: t.acts, isLabelUnseen: true, kind: 'number' },
      cell: comment => <Acts comment={comment} acts={acts} />,
    },
  ]
}

interface CommentProps {
  readonly comment: ListedComment
}

function EventLink({ comment: { event_id, title } }: CommentProps) {
  return (
    <a href={`/market/${event_id}#comments`} dir="auto">
      {title === '' ? event_id : title}
    </a>
  )
}

function UserLink({ comment: { userid } }: CommentProps) {
  return (
    <a class="name" href={userAddress(userid)}>
      {userid}
    </a>
  )
}

function HiddenNote({ hidden }: Pick<ListedComment, 'hidden'>) {
  if (hidden === null) return null
  return (
    <p class="cell-note">
      <span class="tag tag-warn">{t.hidden}</span>{' '}
      {t.hiddenBy(whoWords({ who: hidden.by ?? '' }), dayTimeText(hidden.at), hidden.reason ?? '')}
    </p>
  )
}

function Acts({ comment, acts }: CommentProps & { readonly acts: CommentActs }) {
  const { userid, hidden } = comment
  return (
    <div class="moderated-acts">
      <button
        type="button"
        class="button button-small"
        aria-label={hidden === null ? t.hideOf(userid) : t.showOf(userid)}
        onClick={() => (hidden === null ? acts.onHide(comment) : acts.onShow(comment))}
      >
        {hidden === null ? t.hide : t.showAgain}
      </button>
      <button
        type="button"
        class="button button-small button-danger-quiet"
        aria-label={t.deleteOf(userid)}
        onClick={() => acts.onDelete(comment)}
      >
        {t.delete}
      </button>
    </div>
  )
}
