import { render } from 'preact'
import { startAccount } from './account.js'
import { App } from './app.jsx'
import { startRouter } from './router.js'
import './trade.css'

const root = document.getElementById('app')
if (root !== null) {
  startRouter()
  startAccount()
  render(<App />, root)
}
