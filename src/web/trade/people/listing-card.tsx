import { signal, useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { errorText } from '../../kit/error-text.js'
import { t } from '../../texts/profiles.js'
import { nextStep } from '../entry.js'
import { exchange } from '../exchange-client.js'
import { userId } from '../session.js'

/** Counts the changes of the own choice, so that the leaderboard is fetched again. */
export const listedAt = signal(0)

/** Says whether the own profile is public, and lets one choose. */
export function ListingCard({ isOnProfile = false }: { readonly isOnProfile?: boolean }) {
  const userid = userId.value
  const isPublic = useSignal<boolean | undefined>(undefined)
  const fault = useSignal('')
  const isBusy = useSignal(false)
  useEffect(() => {
    isPublic.value = undefined
    if (userid === undefined) return
    exchange.site.fetchProfileChoice({ userid }).then(
      found => {
        isPublic.value = found
      },
      error => {
        fault.value = errorText(error)
      },
    )
  }, [userid])
  if (userid === undefined || (isPublic.value === undefined && fault.value === '')) return null
  const choose = async () => {
    isBusy.value = true
    fault.value = ''
    try {
      await exchange.site.saveProfileChoice(isPublic.peek() !== true, { userid })
      isPublic.value = isPublic.peek() !== true
      listedAt.value++
    } catch (error) {
      fault.value = errorText(error)
    }
    isBusy.value = false
  }
  return (
    <section class="card listing" aria-label={t.yourProfile}>
      {isPublic.value !== undefined && (
        <>
          <div>
            <h2>{isPublic.value ? t.isPublic : t.isPrivate}</h2>
            <p class="soft">
              {isPublic.value ? t.publicMeans : t.privateMeans}{' '}
              {isPublic.value && !isOnProfile && (
                <a href={`/people/${encodeURIComponent(userid)}`}>{t.seeProfile}</a>
              )}
            </p>
          </div>
          {nextStep.value === undefined && (
            <button type="button" class="button" disabled={isBusy.value} onClick={() => void choose()}>
              {isPublic.value ? t.makePrivate : t.makePublic}
            </button>
          )}
        </>
      )}
      <p class="fault" role="alert">
        {fault.value}
      </p>
    </section>
  )
}
