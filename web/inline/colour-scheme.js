// Runs before the first paint, so that a dark screen never flashes white; and again when the system changes: pages by link and wall screens
// are open for days, with nothing else that would notice.
;(() => {
  const system = matchMedia('(prefers-color-scheme: dark)')
  const choose = () => {
    let chosen = null
    try {
      chosen = localStorage.getItem('mantine-color-scheme-value')
    } catch {
      // Storage may be forbidden: then the system decides.
    }
    const dark = chosen === 'dark' || (chosen !== 'light' && system.matches)
    document.documentElement.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light')
  }
  choose()
  system.addEventListener('change', choose)
})()
