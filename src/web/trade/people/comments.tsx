import { useEffect, useRef } from 'preact/hooks'
import { t } from '../../texts/people.js'
import { CommentForm } from './comment-form.jsx'
import { useComments } from './comment-list.js'
import { CommentRow } from './comment-row.jsx'

/** The comments under a market, and where to write one. */
export function Comments({ code }: { readonly code: string }) {
  const list = useComments(code)
  const rows = list.rows.value
  const section = useRef<HTMLElement>(null)
  const isLoaded = rows !== undefined
  // What the address names was not there when the browser looked for it.
  useEffect(() => {
    if (isLoaded && location.hash === '#comments') section.current?.scrollIntoView()
  }, [isLoaded])
  return (
    <section ref={section} id="comments" class="card comments" aria-labelledby="comments-title">
      <h2 id="comments-title">{t.comments}</h2>
      <div class="card-body">
        <CommentForm code={code} onPosted={() => list.refresh()} />
        <p class="fault" role="alert">
          {list.fault.value}
        </p>
        {rows === undefined && list.fault.value === '' && <p class="faint">{t.loading}</p>}
        {rows?.length === 0 && <p class="faint">{t.noComments}</p>}
        {rows !== undefined && rows.length > 0 && (
          <ol class="comment-rows">
            {rows.map(comment => (
              <CommentRow key={comment.id} comment={comment} onChanged={() => list.refresh()} />
            ))}
          </ol>
        )}
        {list.hasMore.value && (
          <button type="button" class="button button-small" onClick={() => void list.more()}>
            {t.older}
          </button>
        )}
      </div>
    </section>
  )
}
