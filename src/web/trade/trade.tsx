import { render } from 'preact'
import { startAccount } from './account.js'
import { startRouter } from './router.js'
import { App } from './trade-app.jsx'
import './trade.css'

const root = document.getElementById('app')
if (root !== null) {
  startRouter()
  startAccount()
  render(<App />, root)
}
