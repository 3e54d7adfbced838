import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { t } from '../../texts/markets.js'
import { exchange } from '../exchange-client.js'
import { Welcome } from '../welcome.jsx'
import type { ListQuery } from './list-query.js'
import { listAddress } from './list-query.js'
import { reload } from './market-pages.js'

/** How often a page without open markets looks for one. */
const LOOK_MS = 4000

/** Says why a list is empty, and what to do about it. */
export function EmptyList({ query }: { readonly query: ListQuery }) {
  const { view, words, category } = query
  const isNarrowed = words.trim() !== '' || category !== undefined
  if (view === 'watchlist' && !isNarrowed) {
    return <Message text={t.noneWatched} link={t.seeTrending} address="/" />
  }
  if (isNarrowed) {
    const address = listAddress({ ...query, view: 'ended' })
    return <Message text={t.noneMatch} {...(view !== 'ended' && { link: t.searchEnded, address })} />
  }
  if (view === 'ended') return <Message text={t.noneEnded} link={t.seeTrending} address="/" />
  return <NoneOpen />
}

/** No market is open: either all have ended, or there has never been one. */
function NoneOpen() {
  const hasEnded = useSignal<boolean | undefined>(undefined)
  useEffect(() => {
    const look = async () => {
      const page = await exchange.fetchMarketPage({ limit: 1 }).catch(() => undefined)
      hasEnded.value = page === undefined || page.events.length > 0
      if (!document.hidden) await reload()
    }
    void look()
    const timer = setInterval(look, LOOK_MS)
    return () => clearInterval(timer)
  }, [hasEnded])
  if (hasEnded.value === undefined) return <Message text={t.loading} />
  if (!hasEnded.value) return <Welcome />
  return (
    <Message
      text={t.noneOpen}
      link={t.seeEnded}
      address={listAddress({ view: 'ended', words: '', category: undefined })}
    />
  )
}

interface MessageProps {
  readonly text: string
  readonly link?: string
  readonly address?: string
}

function Message({ text, link, address = '/' }: MessageProps) {
  return (
    <section class="card empty" role="status">
      <p>{text}</p>
      {link !== undefined && (
        <p>
          <a href={address}>{link}</a>
        </p>
      )}
    </section>
  )
}
