/**
 * Lets a held Enter press once only: its repeats would send a form again and again, or confirm in a dialog
 * what the same press has asked for. In texts of several lines it goes on.
 */
export function pressEnterOnce(): void {
  const stop = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !event.repeat) return
    if (!(event.target instanceof HTMLTextAreaElement)) event.preventDefault()
  }
  document.addEventListener('keydown', stop, true)
}
