import { render } from 'preact'
import { AccountApp } from './account-app.jsx'
import './account.css'

const root = document.getElementById('app')
if (root !== null) render(<AccountApp />, root)

// Another link, opened in a tab with this page, changes only the fragment.
addEventListener('hashchange', () => {
  if (location.hash.includes('=')) location.reload()
})
