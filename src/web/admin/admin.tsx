import { render } from 'preact'
import { firstDraw } from '../kit/first-draw.js'
import { AdminApp } from './admin-app.jsx'
import { startAdminRouter } from './admin-router.js'
import './admin.css'

const root = document.getElementById('app')
if (root !== null) {
  startAdminRouter()
  void firstDraw(() => render(<AdminApp />, root))
}
