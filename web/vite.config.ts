import { readFileSync } from 'node:fs'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { compress } from './vite-compress.ts'
import { withoutFacades } from './vite-facades.ts'
import { maplibreFromSource } from './vite-maplibre.ts'
import { isIconOfShell, isLoadedBy, isOfShell, isOfStrangers, pages } from './vite-pages.ts'

/** Where `npm start` listens; only the development server asks. */
const server = process.env.ISOTHERM_URL ?? 'http://127.0.0.1:8080'

/** zod carries the making of JSON Schema in every schema; the browser makes none. Saves 7 KB gzip. */
const zodWithoutJsonSchema = (): Plugin => ({
  name: 'zod-without-json-schema',
  apply: 'build',
  enforce: 'pre',
  load(id) {
    if (!/\/zod\/v4\/core\/(json-schema-processors|to-json-schema)\.js$/.test(id)) return
    const names = [...readFileSync(id, 'utf8').matchAll(/^export (?:const|function) (\w+)/gm)].map(([, name]) => name)
    return names.map((name) => `export const ${name} = () => undefined`).join('\n')
  },
})

/**
 * The sentences of zod, which nobody reads: contract/src/errors.ts writes ours by the code of an issue. It asks a message for one thing, whether
 * nothing was given. Saves 1 KB gzip.
 */
const zodWithoutSentences = (): Plugin => ({
  name: 'zod-without-sentences',
  apply: 'build',
  enforce: 'pre',
  load(id) {
    if (!/\/zod\/v4\/locales\/en\.js$/.test(id)) return
    return `export default () => ({ localeError: ({ code, input }) =>
      code === 'invalid_type' && input === undefined ? 'received undefined' : 'Invalid input' })`
  },
})

/** While developing: the pages of shared.html, as the server has them. */
const sharedPages = (): Plugin => ({
  name: 'shared-pages',
  configureServer: ({ middlewares }) => {
    middlewares.use((request, _, next) => {
      if (/^\/(share|wall)\/?(\?|$)/.test(request.url ?? '')) request.url = '/shared.html'
      const [, page] = /^\/(track|drive|shipment-link)(?:[/?]|$)/.exec(request.url ?? '') ?? []
      if (page) request.url = `/${page}.html`
      next()
    })
  },
})

/** The files that index.html preloads and begins with. */
const alwaysThere = /\/(app|rolldown-runtime)-[\w-]+\.(js|css)$/

const reactAndTexts = /node_modules\/(react|react-dom|scheduler|i18next|react-i18next)\//
const routing = /node_modules\/@tanstack\/(react-router|router-core|history)\//
/** Every screen has these, the login too. */
const mantine =
  /@mantine\/core\/esm\/(core|components\/(ActionIcon|Anchor|Button|CloseButton|Group|Loader|Paper|Skeleton|Stack|Text|Title|UnstyledButton))\/|@mantine\/hooks\/esm\/(utils|use-id|use-uncontrolled|use-merged-ref|use-did-update)\/|tabler\/icons-react\/dist\/esm\/createReactComponent/
const ours =
  /web\/src\/(start|lib\/(call-error|can|i18n|languages|lazy-with-texts|limits-text|now|numbers|session|times|toast|url-search)|ui\/(mark|state-dot|text-link))\.tsx?$|contract\/src\/(decimals|errors|limits|times)\.ts$/
const helpers = /vite\/preload-helper|rolldown\/runtime/
const isOfApp = (id: string) =>
  [reactAndTexts, routing, mantine, ours, helpers].some((each) => each.test(id)) ||
  isLoadedBy('start')(id) ||
  isIconOfShell(id)

const floating =
  /node_modules\/@floating-ui\/|@mantine\/core\/esm\/(utils\/Floating|components\/(Tooltip|Portal|Transition))\/|@mantine\/hooks\/esm\/(use-click-outside|use-window-event)\//

/** The texts that shell and dashboard have come together, by language. */
const textsName = (id: string) => {
  const [, locale, name = ''] = /contract\/locales\/(\w+)\/(\w+)\.json(\?raw)?$/.exec(id) ?? []
  if (!locale) return null
  if (id.endsWith('?raw') || ['shell', 'notifications', 'devices', 'map', 'triggers'].includes(name))
    return `texts-${locale}`
  return ['dashboard', 'alarms', 'firstSteps'].includes(name) ? `dashboard-texts-${locale}` : null
}

export default defineConfig({
  plugins: [
    sharedPages(),
    zodWithoutJsonSchema(),
    zodWithoutSentences(),
    maplibreFromSource(),
    react(),
    withoutFacades(),
    pages(),
    compress(),
  ],
  server: { proxy: { '/app/api': server, '/tiles': server } },
  build: {
    target: 'es2022',
    // Smaller than the default's, for a few seconds of the build.
    minify: 'terser',
    terserOptions: { module: true, compress: { passes: 3, ecma: 2020, unsafe_arrows: true } },
    outDir: 'dist',
    assetsInlineLimit: 0,
    sourcemap: false,
    modulePreload: {
      polyfill: false,
      // Every page of the app has these by the time that it loads anything more: no import need list them.
      resolveDependencies: (_, files, { hostType }) =>
        hostType === 'js' ? files.filter((file) => !alwaysThere.test(`/${file}`)) : files,
    },
    chunkSizeWarningLimit: 1200,
    rolldownOptions: {
      input: { index: 'index.html', shared: 'shared.html', start: 'src/start.tsx' },
      preserveEntrySignatures: 'exports-only',
      output: {
        codeSplitting: {
          // A request costs more than its bytes: what is always needed together is one file.
          groups: [
            { name: 'app', test: isOfApp },
            // The login form is there before these, which check what is typed and send it. With the shell, the login would load all of that.
            {
              name: 'calls',
              test: /node_modules\/zod\/|contract\/src\/(auth|call|common|company|passkeys|permissions|second-factor)\.ts|web\/src\/lib\/(call|error-rules)\.ts/,
            },
            {
              name: 'form',
              test: /node_modules\/(@mantine\/form|@mantine\/core\/esm\/components\/(Input|InputBase|TextInput)|klona|fast-deep-equal)\/|web\/src\/ui\/form\/(entity-form|use-entity-form|leave-guard|form-of)/,
            },
            // Pages of strangers have these: with the shell, they would load all of that.
            { name: 'shown', test: (id) => floating.test(id) || isOfStrangers(id) },
            { name: 'shell', test: isOfShell },
            { name: 'dashboard', test: isLoadedBy('dashboard') },
            { name: textsName, debugName: 'texts' },
            // Each of a few hundred bytes, and on most screens.
            { name: 'icons', test: /tabler\/icons-react\/dist\/esm\/icons\//, minShareCount: 3 },
            { name: 'screens', test: /(web\/src\/(ui|lib)|contract\/src)\//, minShareCount: 56 },
          ],
        },
      },
    },
  },
})
