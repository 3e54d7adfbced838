/**
 * Shows the Copy buttons and makes them work. Without https or localhost a page has no clipboard, so the text
 * is selected instead.
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
