// Runs before the first paint, so that a dark screen never flashes white.
;(() => {
  const system = matchMedia('(prefers-color-scheme: dark)')
  const choice = () => {
    try {
      return localStorage.getItem('mantine-color-scheme-value')
    } catch {
      // Storage may be forbidden: then the system decides.
      return null
    }
  }
  const show = (scheme) => document.documentElement.setAttribute('data-mantine-color-scheme', scheme)
  const ofSystem = () => (system.matches ? 'dark' : 'light')
  const isChosen = (scheme) => scheme === 'dark' || scheme === 'light'
  const first = choice()
  show(isChosen(first) ? first : ofSystem())
  // Pages without the library of the app have nothing else that follows the system while they are open.
  system.addEventListener('change', () => {
    if (!isChosen(choice())) show(ofSystem())
  })
})()
