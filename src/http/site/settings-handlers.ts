import type { Context } from 'hono'
import { Hono } from 'hono'
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
import { callerWith, checkUser } from '../middleware/caller.js'
import type { Answer } from '../middleware/envelope.js'
import { success } from '../middleware/envelope.js'
import { marketOf } from '../routes/event-handlers.js'
import { unlessRefused } from './site-writes.js'

/** Serves what pages remember for a user, and the markets that a user watches. */
export function settingsRoutes(exchange: Exchange, site: SiteStore): Hono {
  return new Hono()
    .get('/:userid/settings', c => {
      const userId = userFor(exchange, c, 'read')
      return showSettings(site, c, userId, DONE.settingsFetched)
    })
    .put('/:userid/settings', async c => {
      const userId = userFor(exchange, c, 'trade')
      const { settings } = validate(settingsSchema, await readJson(c))
      unlessRefused(site.settings.put(userId, settings))
      return showSettings(site, c, userId, DONE.settingsSaved)
    })
    .get('/:userid/watchlist', c => {
      return showWatchlist(site, c, userFor(exchange, c, 'read'), DONE.watchlistFetched)
    })
    .put('/:userid/watchlist/:code', c => {
      const userId = userFor(exchange, c, 'trade')
      const { code } = marketOf(exchange, c.req.param('code')).terms
      unlessRefused(site.watchlists.add(userId, code))
      return showWatchlist(site, c, userId, DONE.watchlistSaved)
    })
    .delete('/:userid/watchlist/:code', c => {
      const userId = userFor(exchange, c, 'trade')
      site.watchlists.remove(userId, Number(c.req.param('code')) as MarketCode)
      return showWatchlist(site, c, userId, DONE.watchlistSaved)
    })
}

/**
 * Returns the user in the address, who may be new to the exchange. Throws 401 or 403 if the caller may not
 * act for them.
 */
export function userFor(exchange: Exchange, c: Context, scope: 'read' | 'trade'): string {
  const written = userIdIn({ userid: c.req.param('userid') ?? '' })
  checkUser(callerWith(c, scope), written, scope)
  return userIdOf(exchange.archive, written)
}

function showSettings(site: SiteStore, c: Context, userid: string, message: string): Answer {
  const answer: SettingsAnswer = { userid, settings: site.settings.get(userid) }
  return success(c, 200, message, answer)
}

function showWatchlist(site: SiteStore, c: Context, userid: string, message: string): Answer {
  const answer: WatchlistAnswer = { userid, events: site.watchlists.list(userid).map(String) }
  return success(c, 200, message, answer)
}
