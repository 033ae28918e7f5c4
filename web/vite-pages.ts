import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import react from '@vitejs/plugin-react'
import Beasties from 'beasties'
import { createServer, minifySync, type Plugin, type Rolldown } from 'vite'
import { localeNames } from './src/lib/languages.ts'
import { nameInFile } from './vite-facades.ts'

type Bundle = Rolldown.OutputBundle

const chunksOf = (bundle: Bundle) => Object.values(bundle).filter((file) => file.type === 'chunk')

/** The files that these modules need at once, by the order in which they are needed. */
function filesOf(bundle: Bundle, modules: readonly string[]) {
  const chunks = chunksOf(bundle)
  const names = new Set<string>()
  const collect = (name: string) => {
    if (names.has(name)) return
    names.add(name)
    for (const next of chunks.find((chunk) => chunk.fileName === name)?.imports ?? []) collect(next)
  }
  for (const module of modules) {
    // Where its chunk has other modules, too, it is asked for by a small file of its own.
    const its = chunks.filter(
      ({ facadeModuleId, moduleIds }) =>
        facadeModuleId?.endsWith(module) || moduleIds.some((id) => id.endsWith(module)),
    )
    if (its.length === 0) throw new Error(`no chunk has ${module}`)
    for (const { fileName } of its) collect(fileName)
  }
  const scripts = [...names]
  const styles = new Set(
    scripts.flatMap((name) => [...(chunks.find((chunk) => chunk.fileName === name)?.viteMetadata?.importedCss ?? [])]),
  )
  return { scripts, styles: [...styles] }
}

const preload = (as: string, name: string) =>
  `<link rel="preload" as="${as}" href="/${name}" crossorigin="" fetchpriority="low">`

/**
 * Preloads what the app loads after the first frame, so that nothing is waited for in turn. Not `modulepreload`, which
 * would compile it before that frame.
 */
const preloadsOf = (bundle: Bundle, modules: readonly string[]): string => {
  const { scripts, styles } = filesOf(bundle, modules)
  return [...scripts.map((name) => preload('script', name)), ...styles.map((name) => preload('style', name))].join('\n')
}

interface FirstForms {
  /** The rules that the provider of the theme writes. */
  styles: string
  forms: { locale: string; html: string }[]
}

/** The login form as HTML in every language. */
async function firstForms(): Promise<FirstForms> {
  const server = await createServer({
    configFile: false,
    root: import.meta.dirname,
    logLevel: 'error',
    appType: 'custom',
    server: { middlewareMode: true, watch: null, ws: false },
    plugins: [react()],
  })
  try {
    const { firstForms } = await server.ssrLoadModule('/src/app/first-forms.tsx')
    return await firstForms()
  } finally {
    await server.close()
  }
}

/** The rules of these style sheets that the form needs. */
async function rulesFor(form: string, dir: string, styles: readonly string[]): Promise<string> {
  const links = styles.map((name) => `<link rel="stylesheet" href="/${name}">`).join('')
  const beasties = new Beasties({ path: dir, publicPath: '/', pruneSource: false, logLevel: 'error', fonts: false })
  const page = await beasties.process(`<!doctype html><html><head>${links}</head><body>${form}</body></html>`)
  return [...page.matchAll(/<style[^>]*>([\s\S]*?)<\/style>/g)].map(([, rules]) => rules).join('\n')
}

/** inline/begin.js loads it after the first frame. */
const start = '/src/start.tsx'
const login = '/src/features/auth/pages/login-page.tsx'
const shell = '/src/app/shell/shell.tsx'
const dashboard = '/src/app/dashboard/dashboard-page.tsx'
const device = '/src/app/devices/details-page.tsx'
const strangers = ['/src/app/shared/share-page.tsx', '/src/app/shared/wall-page.tsx']

/** The screens whose own files and texts a page preloads, too; the server knows which path gets which page. */
const screens = {
  login: { modules: [login], texts: ['common.json', 'auth.json'] },
  dashboard: { modules: [shell, dashboard], texts: ['common.json?raw', 'shell.json', 'dashboard.json'] },
} as const

/** The files of these texts, by language. */
function textsOf(bundle: Bundle, texts: readonly string[]) {
  const has = (locale: string) => (file: Rolldown.OutputChunk) =>
    file.moduleIds.some((id) => texts.some((name) => id.endsWith(`/locales/${locale}/${name}`)))
  return Object.fromEntries(
    localeNames.map((locale) => [
      locale,
      chunksOf(bundle)
        .filter(has(locale))
        .map(({ fileName }) => `/${fileName}`),
    ]),
  )
}

/** Puts the scripts of inline/ into the page: each would be a request before the first frame. The server tells the browser their hashes. */
async function withInlined(html: string): Promise<string> {
  let page = html
  for (const [tag, before, name, after] of html.matchAll(
    /<script([^>]*) src="\/inline\/([\w-]+)\.js"([^>]*)><\/script>/g,
  )) {
    const file = `${name}.js`
    const { code } = minifySync(file, await readFile(join(import.meta.dirname, 'inline', file), 'utf8'))
    page = page.replace(tag, () => `<script${before}${after}>${code.trim()}</script>`)
  }
  return page
}

/** The icon of the tab stands in the page, too. */
async function withIcon(html: string, dir: string): Promise<string> {
  const [, name = ''] = /rel="icon" href="\/([^"]+\.svg)"/.exec(html) ?? []
  const icon = await readFile(join(dir, name), 'utf8')
  return html.replace(`/${name}`, `data:image/svg+xml,${encodeURIComponent(icon.trim())}`)
}

/** How the page begins the app: the file that has start.tsx, what it is called there, and its style sheets. */
function beginning(bundle: Bundle): string {
  const { styles } = filesOf(bundle, [start])
  const [its] = chunksOf(bundle).filter(({ moduleIds }) => moduleIds.some((id) => id.endsWith(start)))
  if (!its) throw new Error('no chunk has start.tsx')
  const hrefs = JSON.stringify(styles.map((name) => `/${name}`))
  return `data-app="/${its.fileName}" data-start="${nameInFile(start, 'start')}" data-styles='${hrefs}'`
}

/** Modules by the first of these that loads them: one request for each has what would be dozens of small files. */
const loadedBy = new Map<string, string>()
/** Modules that these screens and their parts load, which would else take along all that the dashboard loads. */
const ofDevice = new Set<string>()
const ofStrangers = new Set<string>()
/** The icons that shell and dashboard show. */
const icons = new Set<string>()

/**
 * For a group of the build: is this module loaded by `first`, and by nothing that is loaded before? Not what libraries could give to start.tsx:
 * their lists name more than is used.
 */
export const isLoadedBy = (first: 'start' | 'shell' | 'dashboard') => (id: string) =>
  loadedBy.get(id) === first && !(first === 'start' && id.includes('/node_modules/'))

const isOfFrame = (id: string) => ['shell', 'dashboard'].includes(loadedBy.get(id) ?? '')

/** Does the shell load this module, or do dashboard and other pages? */
export const isOfShell = (id: string) =>
  loadedBy.get(id) === 'shell' || (loadedBy.get(id) === 'dashboard' && (ofDevice.has(id) || isOfMany(id)))

const isOfMany = (id: string) => /web\/src\/(ui|lib|app\/first-steps\/steps)|contract\/src\//.test(id)

/** Do shell or dashboard load this module, and the pages of share links and wall screens as well? All rules are in one file. */
export const isOfStrangers = (id: string) => isOfFrame(id) && (ofStrangers.has(id) || id.endsWith('.css'))

export const isIconOfShell = (id: string) => icons.has(/icons-react\/dist\/esm\/icons\/(\w+)\./.exec(id)?.[1] ?? '')

/**
 * Makes pages out of index.html that begin sooner: all preload what the app loads first, dashboard.html its screen, too. login.html has
 * the login form itself, in every language, with its rules: it stands before the app has arrived (src/app/first-forms.tsx).
 */
export const pages = (): Plugin => ({
  name: 'pages',
  apply: 'build',
  buildEnd() {
    const ids = [...this.getModuleIds()]
    const idOf = (module: string) => {
      const id = ids.find((each) => each.endsWith(module))
      if (!id) throw new Error(`the build has no ${module}`)
      return id
    }
    const load = (id: string, first: string) => {
      if (loadedBy.has(id)) return
      loadedBy.set(id, first)
      for (const next of this.getModuleInfo(id)?.importedIds ?? []) load(next, first)
    }
    const loadAll = (id: string, all: Set<string>) => {
      if (all.has(id)) return
      all.add(id)
      const { importedIds = [], dynamicallyImportedIds = [] } = this.getModuleInfo(id) ?? {}
      for (const next of [...importedIds, ...dynamicallyImportedIds]) loadAll(next, all)
    }
    for (const [first, module] of Object.entries({ start, login, shell, dashboard })) load(idOf(module), first)
    loadAll(idOf(device), ofDevice)
    for (const module of strangers) loadAll(idOf(module), ofStrangers)
    for (const id of ids.filter((each) => isOfFrame(each) && !each.includes('/node_modules/')))
      for (const [name] of this.getModuleInfo(id)?.code?.matchAll(/\bIcon[A-Z]\w+/g) ?? []) icons.add(name)
  },
  async writeBundle({ dir = 'dist' }, bundle) {
    const read = (name: string) => readFile(join(dir, name), 'utf8')
    const write = async (name: string, html: string) => writeFile(join(dir, name), await withInlined(html))
    const index = (await withIcon(await read('index.html'), dir)).replace(/data-app=.* data-styles="\[\]"/, () =>
      beginning(bundle),
    )
    const page = (modules: readonly string[], head = '') =>
      index.replace('</head>', () => `${head}${preloadsOf(bundle, [start, ...modules])}\n</head>`)
    const early = (texts: readonly string[]) =>
      `<script src="/inline/early.js" data-texts='${JSON.stringify(textsOf(bundle, texts))}'></script>\n`
    /** The end of the body, but before the app begins. */
    const withBody = (html: string, body: string) =>
      html.replace(/ *<script src="\/inline\/begin/, (begin) => `${body}${begin}`)
    const { styles: own, forms } = await firstForms()
    const { styles } = filesOf(bundle, [start, ...screens.login.modules])
    const rules = await rulesFor(forms[0]?.html ?? '', dir, styles)
    const templates = forms.map(({ locale, html }) => `<template data-first-form="${locale}">${html}</template>\n`)
    const head = `<style>${own}</style>\n<style>${rules}</style>\n`
    await write('index.html', page([]))
    await write('dashboard.html', withBody(page(screens.dashboard.modules), early(screens.dashboard.texts)))
    await write(
      'login.html',
      withBody(page(screens.login.modules, head), templates.join('') + early(screens.login.texts)),
    )
    await write('shared.html', await withIcon(await read('shared.html'), dir))
  },
})
