import { render } from 'preact'
import { followAnnouncement } from '../announcement/announcement.js'
import { firstDraw } from '../kit/first-draw.js'
import { pressEnterOnce } from '../kit/held-keys.js'
import { startAccount } from './account.js'
import { startNotices } from './notices/notices.js'
import { startRouter } from './router.js'
import { startSession } from './session-watch.js'
import { startSettings } from './settings/page-settings.js'
import { App } from './trade-app.jsx'
import './trade.css'
import './shared-by-parts.js'

const root = document.getElementById('app')
if (root !== null) {
  pressEnterOnce()
  startRouter()
  startSession()
  startSettings()
  startAccount()
  startNotices()
  followAnnouncement()
  void firstDraw(() => render(<App />, root))
}
