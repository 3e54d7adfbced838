import { useEffect } from 'preact/hooks'
import { setTitle } from '../kit/page-site.js'
import { t } from '../texts/frame.js'

/** Shown at an address that has no page, with ways back. */
export function MissingPage() {
  useEffect(() => setTitle(t.missingTitle), [])
  return (
    <section class="card welcome">
      <h1>{t.missingTitle}</h1>
      <p class="soft">{t.missingWhy}</p>
      <p class="ways">
        <a class="button button-main" href="/">
          {t.allMarkets}
        </a>
        <a class="button" href="/portfolio">
          {t.portfolio}
        </a>
        <a class="button" href="/docs/guides">
          {t.guides}
        </a>
      </p>
    </section>
  )
}
