import { signal } from '@preact/signals'
import { goTo } from '../kit/address.js'
import { remember, remembered } from '../kit/browser-memory.js'
import { Icon } from '../kit/icons.jsx'
import { t } from '../texts/frame.js'
import { exchangeFacts } from './exchange-facts.js'

const isIntroShown = signal(remembered('intro') !== 'dismissed')

function showIntro(isShown: boolean): void {
  remember('intro', isShown ? undefined : 'dismissed')
  isIntroShown.value = isShown
}

/** Shows the introduction again. */
export function HowItWorks() {
  const show = () => {
    showIntro(true)
    goTo('/')
  }
  return (
    <button type="button" class="link-button" onClick={show}>
      {t.howItWorks}
    </button>
  )
}

/** Explains prices and payouts to a first-time visitor, who can dismiss it for good. */
export function Intro() {
  if (!isIntroShown.value) return <h1 class="unseen">{t.markets}</h1>
  return (
    <section class="intro" aria-label={t.howItWorks}>
      <div>
        <h1>{exchangeFacts.value.startingBalance === 0 ? t.introTitle : t.introTitlePlayMoney}</h1>
        <button
          type="button"
          class="button button-icon"
          aria-label={t.dismiss}
          onClick={() => showIntro(false)}
        >
          <Icon shape="close" />
        </button>
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
      <h2>{t.noMarkets}</h2>
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
