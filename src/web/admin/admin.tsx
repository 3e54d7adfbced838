import { render } from 'preact'
import { firstDraw } from '../kit/first-draw.js'
import { pressEnterOnce } from '../kit/held-keys.js'
import { AdminApp } from './admin-app.jsx'
import { startAdminRouter } from './admin-router.js'
import './admin.css'

const root = document.getElementById('app')
if (root !== null) {
  pressEnterOnce()
  startAdminRouter()
  void firstDraw(() => render(<AdminApp />, root))
}
