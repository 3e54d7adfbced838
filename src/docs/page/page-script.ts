/**
 * Shows the Copy and Run buttons and the search, and makes them work. Without https or localhost a page has
 * no clipboard, so the text is selected instead. Run sends only GET requests to this exchange.
 */
export const pageScript = `'use strict'
for (const button of document.querySelectorAll('.code button')) {
  button.hidden = false
  button.addEventListener('click', async () => {
    const code = button.parentElement.querySelector('pre')
    try {
      await navigator.clipboard.writeText(code.textContent)
      button.textContent = 'Copied'
    } catch {
      getSelection().selectAllChildren(code)
      button.textContent = 'Selected'
    }
    setTimeout(() => { button.textContent = 'Copy' }, 2000)
  })
}
for (const form of document.querySelectorAll('.run')) {
  form.hidden = false
  form.addEventListener('submit', async event => {
    event.preventDefault()
    const shown = form.nextElementSibling ?? document.createElement('pre')
    shown.tabIndex = 0
    shown.setAttribute('role', 'status')
    shown.textContent = 'Running…'
    form.after(shown)
    try {
      const { pathname, search } = new URL(form.querySelector('input').value, location.origin)
      const answer = await fetch(pathname + search)
      const text = (await answer.text()).slice(0, 20000)
      let pretty = text
      try { pretty = JSON.stringify(JSON.parse(text), undefined, 2) } catch {}
      shown.textContent = answer.status + ' ' + answer.statusText + '\\n' + pretty
    } catch {
      shown.textContent = 'No answer.'
    }
  })
}
const contents = document.querySelector('.contents')
const search = contents.querySelector('input')
const links = [...contents.querySelectorAll('li a')]
const textOf = link => (link.textContent + ' ' + (link.dataset.words ?? '')).toLowerCase()
search.hidden = false
search.addEventListener('input', () => {
  const words = search.value.toLowerCase().split(/\\s+/).filter(word => word !== '')
  contents.classList.toggle('searching', words.length > 0)
  const found = links.filter(link => words.every(word => textOf(link).includes(word)))
  for (const item of contents.querySelectorAll('li')) {
    item.hidden = !found.some(link => item.contains(link))
  }
  contents.querySelector('[role=status]').textContent = found.length === 0 ? 'No matches' : ''
})
search.addEventListener('keydown', event => {
  const first = links.find(link => link.offsetParent !== null && link.closest('li[hidden]') === null)
  if (event.key === 'Enter' && search.value !== '' && first) first.click()
})
addEventListener('keydown', event => {
  if (event.key !== '/' || event.target.closest('input, textarea')) return
  event.preventDefault()
  contents.querySelector('details').open = true
  search.focus()
})
// On a narrow screen the contents would fill the page.
if (innerWidth < 1024) document.querySelector('nav details').open = false
// A link to a folded section unfolds it; one to what another page shows now leads there.
const unfold = () => {
  const id = decodeURIComponent(location.hash.slice(1))
  const target = document.getElementById(id)
  if (target instanceof HTMLDetailsElement) target.open = true
  if (target !== null || id === '') return
  const link = links.find(({ hash }) => hash === '#' + id)
  if (link) location.replace(link.href)
  else if (/^schema-/.test(id)) location.replace('/docs/api/schemas#' + id)
  else if (/^message-/.test(id)) location.replace('/docs/api/websocket#' + id)
}
addEventListener('hashchange', unfold)
unfold()
`
