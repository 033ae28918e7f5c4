import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import react from '@vitejs/plugin-react'
import Beasties from 'beasties'
import { createServer, type Plugin, type Rolldown } from 'vite'
import { localeNames } from './src/lib/languages.ts'

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

/** main.ts loads it after the first frame. */
const start = '/src/start.tsx'
const login = '/src/features/auth/pages/login-page.tsx'
const shell = '/src/app/shell/shell.tsx'
const dashboard = '/src/app/dashboard/dashboard-page.tsx'
const device = '/src/app/devices/details-page.tsx'

/** The screens whose own files and texts a page preloads, too; the server knows which path gets which page. */
const screens = {
  login: { modules: [login], texts: ['common', 'auth'] },
  dashboard: { modules: [shell, dashboard], texts: ['common', 'dashboard'] },
} as const
type Screen = (typeof screens)[keyof typeof screens]

/** The script that runs before the app, told where the texts of the screen are. */
function earlyScript(bundle: Bundle, { texts }: Screen): string {
  const has = (locale: string) => (file: Rolldown.OutputChunk) =>
    file.moduleIds.some((id) => texts.some((name) => id.endsWith(`/locales/${locale}/${name}.json`)))
  const files = Object.fromEntries(
    localeNames.map((locale) => [
      locale,
      chunksOf(bundle)
        .filter(has(locale))
        .map(({ fileName }) => `/${fileName}`),
    ]),
  )
  return `<script src="/assets/early-1.js" data-texts='${JSON.stringify(files)}' defer fetchpriority="high"></script>\n`
}

/** Modules by the first of these that loads them: one request for each has what would be dozens of small files. */
const loadedBy = new Map<string, string>()
/** Modules that a device's page and its parts load, which would else take along all that the dashboard loads. */
const ofDevice = new Set<string>()

/**
 * For a group of the build: is this module loaded by `first`, and by nothing that is loaded before? Not start.tsx itself: it waits for
 * the first screen, whose files would wait for it. Nor what libraries could give to it: their lists name more than is used.
 */
export const isLoadedBy = (first: 'start' | 'shell' | 'dashboard') => (id: string) =>
  loadedBy.get(id) === first && !id.endsWith(start) && !(first === 'start' && id.includes('/node_modules/'))

/** For a group of the build: do the dashboard and a device's page load this module, and nothing that is loaded before? */
export const isOfBoth = (id: string) => loadedBy.get(id) === 'dashboard' && ofDevice.has(id)

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
    const loadOfDevice = (id: string) => {
      if (ofDevice.has(id)) return
      ofDevice.add(id)
      const { importedIds = [], dynamicallyImportedIds = [] } = this.getModuleInfo(id) ?? {}
      for (const next of [...importedIds, ...dynamicallyImportedIds]) loadOfDevice(next)
    }
    for (const [first, module] of Object.entries({ start, login, shell, dashboard })) load(idOf(module), first)
    loadOfDevice(idOf(device))
  },
  async writeBundle({ dir = 'dist' }, bundle) {
    const index = await readFile(join(dir, 'index.html'), 'utf8')
    const page = (modules: readonly string[], head = '') =>
      index.replace('</head>', `${head}${preloadsOf(bundle, [start, ...modules])}\n</head>`)
    const { styles: own, forms } = await firstForms()
    const { styles } = filesOf(bundle, [start, ...screens.login.modules])
    const rules = await rulesFor(forms[0]?.html ?? '', dir, styles)
    const head = `<style>${own}</style>\n<style>${rules}</style>\n${earlyScript(bundle, screens.login)}`
    const templates = forms.map(({ locale, html }) => `<template data-first-form="${locale}">${html}</template>\n`)
    await writeFile(join(dir, 'index.html'), page([]))
    await writeFile(
      join(dir, 'dashboard.html'),
      page(screens.dashboard.modules, earlyScript(bundle, screens.dashboard)),
    )
    await writeFile(
      join(dir, 'login.html'),
      page(screens.login.modules, head).replace('</body>', `${templates.join('')}</body>`),
    )
  },
})
