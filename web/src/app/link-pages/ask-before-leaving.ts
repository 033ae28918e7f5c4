/** Has the browser ask before the tab is closed or reloaded while something that was filled in is not sent. */
export function askBeforeLeaving(isUnsent: () => boolean): void {
  addEventListener('beforeunload', (event) => {
    if (!isUnsent()) return
    event.preventDefault()
    // Browsers of older phones look at this alone.
    event.returnValue = ''
  })
}
