// Begins the app. The first frame shows the page as it is; the app's own code, which takes longer to run, begins after it.
;(() => {
  // The CSP forbids eval, which zod would otherwise compile its schemas with. zod.config() would come too late: schemas
  // decide while their modules load, and would bring zod to the login screen.
  globalThis.__zod_globalConfig = { jitless: true }
  const { app, start, styles } = document.currentScript.dataset
  const styled = (href) =>
    new Promise((resolve, reject) => {
      const link = document.createElement('link')
      document.head.append(
        Object.assign(link, { rel: 'stylesheet', crossOrigin: '', href, onload: resolve, onerror: reject }),
      )
    })
  const begin = async () => {
    const [code] = await Promise.all([import(app), ...JSON.parse(styles).map(styled)])
    code[start]()
  }
  if (document.hidden) begin()
  else requestAnimationFrame(() => setTimeout(begin))
})()
