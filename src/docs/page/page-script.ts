/**
 * Shows the Copy and Run buttons and the search, and makes them work. Without https or localhost a page has
 * no clipboard, so the text is selected instead. Run sends only what changes nothing.
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
for (const button of document.querySelectorAll('.run')) {
  button.hidden = false
  button.addEventListener('click', async () => {
    const shown = button.nextElementSibling ?? document.createElement('pre')
    shown.tabIndex = 0
    shown.setAttribute('role', 'status')
    shown.textContent = 'Running…'
    button.after(shown)
    try {
      const { pathname, search } = new URL(button.dataset.url)
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
const search = document.querySelector('.contents input')
search.hidden = false
search.addEventListener('input', () => {
  const words = search.value.toLowerCase().split(/\\s+/)
  const fits = item => words.every(word => item.textContent.toLowerCase().includes(word))
  for (const group of document.querySelectorAll('.contents > details > ul > li')) {
    const items = [...group.querySelectorAll('li')]
    for (const item of items) item.hidden = !fits(item)
    group.hidden = !fits(group) && items.every(item => item.hidden)
  }
})
// On a narrow screen the contents would fill the page.
if (innerWidth < 1024) document.querySelector('nav details').open = false
// A link to a folded section unfolds it.
const unfold = () => {
  const target = document.getElementById(location.hash.slice(1))
  if (target instanceof HTMLDetailsElement) target.open = true
}
addEventListener('hashchange', unfold)
unfold()
`
