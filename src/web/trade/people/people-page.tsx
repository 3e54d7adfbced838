import { useEffect } from 'preact/hooks'
import { setTitle } from '../../kit/page-site.js'
import { t } from '../../texts/profiles.js'
import { LeaderboardView } from './leaderboard.jsx'
import { ListingCard } from './listing-card.jsx'
import { ProfileView } from './profile.jsx'

/** The leaderboard, or the profile of one user. */
export function PeoplePage({ userid }: { readonly userid: string | undefined }) {
  useEffect(() => {
    setTitle(userid ?? t.leaderboard)
  }, [userid])
  if (userid !== undefined) return <ProfileView key={userid} userid={userid} />
  return (
    <div class="people">
      <h1>{t.leaderboard}</h1>
      <LeaderboardView />
      <ListingCard />
    </div>
  )
}
