/**
 * What the Copy buttons do. They are shown by it, so that none is there where it does not run. A page that
 * was not loaded over https, or from this machine, has no clipboard: its text is selected instead.
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
// On a narrow screen the contents would push all else off it.
if (innerWidth < 1024) document.querySelector('nav details').open = false
// A link to what is folded unfolds it.
const unfold = () => {
  const target = document.getElementById(location.hash.slice(1))
  if (target instanceof HTMLDetailsElement) target.open = true
}
addEventListener('hashchange', unfold)
unfold()
`
