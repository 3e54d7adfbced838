import { render } from 'preact'
import { followAnnouncement } from '../announcement/announcement.js'
import { firstDraw } from '../kit/first-draw.js'
import { pressEnterOnce } from '../kit/held-keys.js'
import { AccountApp } from './account-app.jsx'
import './account.css'

const root = document.getElementById('app')
if (root !== null) {
  pressEnterOnce()
  followAnnouncement()
  void firstDraw(() => render(<AccountApp />, root))
}

// Another link, opened in a tab with this page, changes only the fragment.
addEventListener('hashchange', () => {
  if (location.hash.includes('=')) location.reload()
})
