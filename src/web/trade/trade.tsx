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
// Several parts that are loaded later need these: here they are no request each.
import '../kit/choice.jsx'
import '../kit/closing-menu.js'
import '../kit/table.jsx'
import '../kit/zone-days.js'
import '../texts/plural.js'

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
