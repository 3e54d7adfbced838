import { DONE } from '../../api/answer-texts.js'
import { userIdOf } from '../../api/new-user-id.js'
import type { SettingsAnswer, WatchlistAnswer } from '../../api/site/settings-schema.js'
import { settingsSchema } from '../../api/site/settings-schema.js'
import { userIdIn } from '../../api/user-id.js'
import { validate } from '../../api/validation.js'
import type { MarketCode } from '../../core/units.js'
import type { Exchange } from '../../exchange/exchange.js'
import type { SiteStore } from '../../site/site-store.js'
import { readJson } from '../middleware/body.js'
import type { Answer } from '../middleware/envelope.js'
import { success } from '../middleware/envelope.js'
import { marketOf } from '../../doors/market-of.js'
import { unlessRefused } from './site-writes.js'
import { checkUser } from '../../doors/own-user.js'
import { handle } from '../routing/handle.js'
import type { Binding, Call } from '../routing/handle.js'
import { siteRoutes } from '../../api/site/site-routes.js'

/** Serves what pages remember for a user, and the markets that a user watches. */
export function settingsHandlers(exchange: Exchange, site: SiteStore): Binding[] {
  return [
    handle(siteRoutes.getSettings, call => {
      const userId = userFor(exchange, call, 'read')
      return showSettings(site, call, userId, DONE.settingsFetched)
    }),
    handle(siteRoutes.saveSettings, async call => {
      const userId = userFor(exchange, call, 'trade')
      const { settings } = validate(settingsSchema, await readJson(call))
      unlessRefused(site.settings.put(userId, settings))
      return showSettings(site, call, userId, DONE.settingsSaved)
    }),
    handle(siteRoutes.getWatchlist, call => {
      return showWatchlist(site, call, userFor(exchange, call, 'read'), DONE.watchlistFetched)
    }),
    handle(siteRoutes.addToWatchlist, call => {
      const userId = userFor(exchange, call, 'trade')
      const { code } = marketOf(exchange, call.params.code).terms
      unlessRefused(site.watchlists.add(userId, code))
      return showWatchlist(site, call, userId, DONE.watchlistSaved)
    }),
    handle(siteRoutes.removeFromWatchlist, call => {
      const userId = userFor(exchange, call, 'trade')
      site.watchlists.remove(userId, Number(call.params.code) as MarketCode)
      return showWatchlist(site, call, userId, DONE.watchlistSaved)
    }),
  ]
}

/**
 * Returns the user in the address, who may be new to the exchange. Throws 401 or 403 if the caller may not
 * act for them.
 */
export function userFor(exchange: Exchange, call: Call, scope: 'read' | 'trade'): string {
  const written = userIdIn({ userid: call.params.userid ?? '' })
  checkUser(call.caller, written, scope)
  return userIdOf(exchange.archive, written)
}

function showSettings(site: SiteStore, call: Call, userid: string, message: string): Answer {
  const answer: SettingsAnswer = { userid, settings: site.settings.get(userid) }
  return success(call, 200, message, answer)
}

function showWatchlist(site: SiteStore, call: Call, userid: string, message: string): Answer {
  const answer: WatchlistAnswer = { userid, events: site.watchlists.list(userid).map(String) }
  return success(call, 200, message, answer)
}
