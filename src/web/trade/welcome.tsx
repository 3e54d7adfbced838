import { t } from '../texts/frame.js'

/** Explains prices and payouts to a first-time visitor. */
export function Intro() {
  return (
    <section class="intro" aria-label={t.howItWorks}>
      <div>
        <h1>{t.introTitle}</h1>
      </div>
      <ol class="intro-steps">
        <li>
          <b>{t.introPrice}</b> {t.introPriceMeans}
        </li>
        <li>
          <b>{t.introBuy}</b> {t.introSum}
        </li>
        <li>
          <b>{t.introRight}</b> {t.introRightPays} <b>{t.introWrong}</b> {t.introWrongPays}
        </li>
      </ol>
    </section>
  )
}

/** Shown while the exchange has no markets: how to create the first one. */
export function Welcome() {
  return (
    <section class="card welcome">
      <h1>{t.noMarkets}</h1>
      <ol>
        <li>
          {t.createFirst} <a href="/admin">/admin</a> {t.createFirstOr} <code>POST /events/create</code>
        </li>
        <li>
          {t.lookAround} <code>npm start -- --demo</code>
        </li>
        <li>{t.thenTrade}</li>
      </ol>
      <p class="soft">{t.reloadForMarkets}</p>
    </section>
  )
}
