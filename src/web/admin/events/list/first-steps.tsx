import { t } from '../../../texts/admin-events.js'
/** Shown while there are no events: the operator’s first steps. */
export function FirstSteps() {
  return (
    <section class="card gate">
      <h1>{t.first.title}</h1>
      <p class="soft">{t.first.what}</p>
      <ol>
        <li>{t.first.write}</li>
        <li>
          {t.first.trade} <a href="/">{t.first.tradingPages}</a>
        </li>
        <li>{t.first.resolve}</li>
      </ol>
      <p>
        <a class="button button-main" href="/admin/new">
          {t.first.title}
        </a>
      </p>
    </section>
  )
}
