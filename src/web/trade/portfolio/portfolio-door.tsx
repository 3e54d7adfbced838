import { signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { errorText } from '../../kit/error-text.js'
import { t } from '../../texts/frame.js'
import type { PortfolioTab } from '../router.js'

type Page = typeof import('./portfolio-page.jsx')

const loaded = signal<Page | undefined>(undefined)
const fault = signal('')

/** The portfolio, loaded when it is first opened. */
export function PortfolioDoor({ tab }: { readonly tab: PortfolioTab }) {
  useEffect(() => {
    if (loaded.peek() !== undefined) return
    import('./portfolio-page.jsx').then(
      page => {
        loaded.value = page
      },
      error => {
        fault.value = errorText(error)
      },
    )
  }, [])
  if (loaded.value === undefined) {
    return (
      <p class="empty" aria-busy={fault.value === ''}>
        {fault.value || t.connecting}
      </p>
    )
  }
  return <loaded.value.PortfolioPage tab={tab} />
}
