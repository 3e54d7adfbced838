import { signal } from '@preact/signals'
import type { SessionStatus } from '../../api/auth/auth-shape.js'
import { authSession } from '../auth/auth-session.js'
import { remember, remembered } from '../kit/browser-memory.js'
import { Icon } from '../kit/icons.jsx'
import { Modal } from '../kit/modal.jsx'
import { t } from '../texts/frame.js'
import { enter, nextStep } from './entry.js'
import { exchangeFacts } from './exchange-facts.js'
import { userId } from './session.js'

const isIntroShown = signal(remembered('intro') !== 'dismissed')
const isExplaining = signal(false)

/** Explains, on whichever page one is, how markets work. */
export function HowItWorks() {
  const close = () => {
    isExplaining.value = false
  }
  return (
    <>
      <button
        type="button"
        class="link-button"
        aria-haspopup="dialog"
        onClick={() => {
          isExplaining.value = true
        }}
      >
        {t.howItWorks}
      </button>
      {isExplaining.value && (
        <Modal class="picker" onClose={close} closesOutside aria-labelledby="explained-title">
          <div class="explained">
            <h2 id="explained-title">{t.howItWorks}</h2>
            <Steps />
            <p>
              <a href="/docs/guides/trading">{t.readMore}</a>
            </p>
            <p class="picker-foot">
              <button type="button" class="button button-main" onClick={close} autofocus>
                {t.gotIt}
              </button>
            </p>
          </div>
        </Modal>
      )}
    </>
  )
}

/** Explains prices and payouts to a first-time visitor, who can dismiss it for good. */
export function Intro() {
  if (!isIntroShown.value) return <h1 class="unseen">{t.markets}</h1>
  const dismiss = () => {
    remember('intro', 'dismissed')
    isIntroShown.value = false
  }
  return (
    <section class="intro" aria-label={t.howItWorks}>
      <div>
        <h1>{exchangeFacts.value.startingBalance === 0 ? t.introTitle : t.introTitlePlayMoney}</h1>
        <button type="button" class="button button-icon" aria-label={t.dismiss} onClick={dismiss}>
          <Icon shape="close" />
        </button>
        <Entry />
      </div>
      <Steps />
    </section>
  )
}

/** The way in, for visitors who have yet to come in. */
function Entry() {
  const session = authSession.value
  const act = nextStep.value?.act ?? ''
  // Without accounts the header has the one button that there is.
  if (userId.value !== undefined || session?.mode !== 'accounts' || act === '') return null
  const canSignUp = session.sign_up === 'open'
  return (
    <p class="ways">
      {canSignUp && (
        <a class="button button-main" href="/sign-up">
          {t.signUp}
        </a>
      )}
      <button type="button" class={canSignUp ? 'button' : 'button button-main'} onClick={enter}>
        {act}
      </button>
    </p>
  )
}

function Steps() {
  return (
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
  )
}

/** Shown while the exchange has no markets: traders wait, and operators find the way to the first event. */
export function Welcome() {
  return (
    <section class="card welcome" role="status">
      <h2>{t.noMarkets}</h2>
      <p class="soft">{t.firstSoon}</p>
      {authSession.value !== undefined && mayRun(authSession.value) && (
        <p class="faint">
          {t.runThis} <a href="/admin">{t.createFirst}</a>
        </p>
      )}
    </section>
  )
}

/** Returns whether the visitor may be an operator: anyone in `open` mode, no one signed in as a trader. */
function mayRun({ mode, needs_admin: needsAdmin, caller }: SessionStatus): boolean {
  if (mode === 'open') return true
  return caller === null ? needsAdmin : caller.role !== 'trader'
}
