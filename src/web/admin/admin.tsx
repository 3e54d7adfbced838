import { render } from 'preact'
import { AdminApp } from './admin-app.jsx'
import { startAdminRouter } from './admin-router.js'
import './admin.css'

const root = document.getElementById('app')
if (root !== null) {
  startAdminRouter()
  render(<AdminApp />, root)
}
