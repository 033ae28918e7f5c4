// Runs before the app has arrived. It asks for the texts in the person's language, and puts the login form of login.html on the page;
// the app takes over what was typed (src/lib/first-form.ts).
;(() => {
  const read = (key) => {
    try {
      return localStorage.getItem(key)
    } catch {
      return null
    }
  }
  const session = (() => {
    try {
      return JSON.parse(read('isotherm.session') ?? 'null')
    } catch {
      return null
    }
  })()
  const texts = JSON.parse(document.currentScript.dataset.texts)
  // As firstLanguage() of src/lib/i18n.ts.
  const language =
    [
      read('isotherm.language'),
      session?.locale,
      ...navigator.languages.map((tag) => tag.slice(0, 2).toLowerCase()),
    ].find((name) => name in texts) ?? 'en'
  for (const href of texts[language]) {
    const link = document.createElement('link')
    document.head.append(Object.assign(link, { rel: 'preload', as: 'script', crossOrigin: '', href }))
  }

  const root = document.getElementById('root')
  const show = (name) => {
    document.documentElement.lang = name
    root.replaceChildren(document.querySelector(`template[data-first-form=${name}]`).content.cloneNode(true))
    root.dataset.firstForm = ''
    root.querySelector('input[name=email]').focus()
  }
  const isOfApp = () => !('firstForm' in root.dataset)
  if (session?.token || !/^\/login\/?$/.test(location.pathname) || !document.querySelector('template[data-first-form]'))
    return
  show(language)
  root.addEventListener('change', ({ target }) => {
    if (isOfApp() || target.localName !== 'select') return
    try {
      localStorage.setItem('isotherm.language', target.value)
    } catch {
      // Then the choice lasts as long as the page.
    }
    const typed = [...root.querySelectorAll('input')].map((input) => input.value)
    show(target.value)
    for (const [index, input] of root.querySelectorAll('input').entries()) input.value = typed[index]
  })
  root.addEventListener('submit', (event) => {
    if (isOfApp()) return
    event.preventDefault()
    root.dataset.firstForm = 'sent'
    root.querySelector('button[type=submit]').setAttribute('data-loading', 'true')
  })
})()
