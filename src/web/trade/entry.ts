import { computed } from '@preact/signals'
import { authSession } from '../auth/auth-session.js'
import { signInAddress } from '../auth/next-page.js'
import { t } from '../texts/frame.js'
import { askForName } from './name-picker.jsx'
import { userId } from './session.js'

/** The steps that visitors may have to take before they can trade, in words. */
const ENTRIES = {
  asking: { act: '', trade: t.connecting, portfolio: t.connecting },
  choose: {
    act: t.chooseName,
    trade: t.chooseNameToTrade,
    portfolio: t.chooseNameForPortfolio,
  },
  sign_in: { act: t.signIn, trade: t.signInToTrade, portfolio: t.signInForPortfolio },
  elsewhere: {
    act: '',
    trade: t.signInElsewhereToTrade,
    portfolio: t.signInElsewhereForPortfolio,
  },
  viewer: { act: '', trade: t.viewerOnly, portfolio: '' },
} as const

/** The next step before the visitor can trade; undefined if there is none left. */
export const nextStep = computed(() => {
  const session = authSession.value
  if (session === undefined) return ENTRIES.asking
  const mayTrade = session.mode === 'open' || session.caller?.scopes.includes('trade') === true
  if (userId.value !== undefined) return mayTrade ? undefined : ENTRIES.viewer
  if (session.mode === 'open') return ENTRIES.choose
  return session.mode === 'accounts' ? ENTRIES.sign_in : ENTRIES.elsewhere
})

/** Leads a visitor to where they can begin to trade. */
export function enter(): void {
  if (nextStep.peek() === ENTRIES.choose) askForName()
  if (nextStep.peek() === ENTRIES.sign_in) location.assign(signInAddress(location.pathname + location.search))
}
