import { readFileSync } from 'node:fs'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { maplibreFromSource } from './vite-maplibre.ts'
import { isLoadedBy, isOfBoth, pages } from './vite-pages.ts'

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

/** Beside each file its .br and .gz, which the server then sends as they are. */
const compress = (): Plugin => ({
  name: 'compress',
  apply: 'build',
  async writeBundle({ dir = 'dist' }) {
    const folder = join(dir, 'assets')
    const names = (await readdir(folder)).filter((name) => /\.(js|css|svg|json)$/.test(name))
    await Promise.all(
      names.map(async (name) => {
        const content = await readFile(join(folder, name))
        if (content.length < 1_000) return
        const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }
        await writeFile(join(folder, `${name}.br`), await promisify(brotliCompress)(content, quality))
        await writeFile(join(folder, `${name}.gz`), await promisify(gzip)(content, { level: 9 }))
      }),
    )
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

/** The scripts that login, dashboard and index.html preload; by the names of the groups below. */
const alwaysThere = /\/(base|core|router|first|writing|load|times|rolldown-runtime)-[\w-]+\.js$/

export default defineConfig({
  plugins: [
    sharedPages(),
    zodWithoutJsonSchema(),
    zodWithoutSentences(),
    maplibreFromSource(),
    react(),
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
        hostType === 'js' ? files.filter((file) => !alwaysThere.test(file)) : files,
    },
    chunkSizeWarningLimit: 1200,
    rolldownOptions: {
      input: ['index.html', 'shared.html', 'track.html', 'drive.html', 'shipment-link.html'],
      output: {
        codeSplitting: {
          groups: [
            // The page's first script has it: with others it would take them along before the first frame.
            { name: 'load', test: /vite\/preload-helper/ },
            {
              name: 'base',
              test: /node_modules\/(react|react-dom|scheduler|i18next|react-i18next)\//,
            },
            { name: 'router', test: /node_modules\/@tanstack\/(react-router|router-core|history)\// },
            // The pages of receivers and drivers have these, and nothing else of the app.
            { name: 'times', test: /contract\/src\/(times|decimals)\.ts$/ },
            // With the numbers and times that pages of strangers show, too: these load nothing else of the app.
            {
              name: 'writing',
              test: /web\/src\/(lib\/(numbers|times|limits-text|i18n|session|languages|now)|ui\/state-dot)\.tsx?$/,
            },
            // Every screen has these, the login too: in files of their own they would be thirty requests.
            {
              name: 'core',
              test: /@mantine\/core\/esm\/(core|components\/(ActionIcon|Anchor|Button|CloseButton|Group|Loader|Paper|Stack|Text|Title|UnstyledButton))\/|@mantine\/hooks\/esm\/(utils|use-id|use-uncontrolled|use-merged-ref|use-did-update)\/|tabler\/icons-react\/dist\/esm\/createReactComponent|web\/src\/lib\/(call-error|can|i18n|lazy-with-texts|numbers|session|toast|url-search)\.ts|web\/src\/ui\/(mark|text-link)|contract\/src\/(errors|limits)\.ts/,
            },
            // The login form is there before these, which check what is typed and send it. With the shell, the login would load all of that.
            {
              name: 'calls',
              test: /node_modules\/zod\/|contract\/src\/(auth|call|common|company|passkeys|permissions|second-factor)\.ts|web\/src\/lib\/(call|error-rules)\.ts/,
            },
            {
              name: 'form',
              test: /node_modules\/(@mantine\/form|@mantine\/core\/esm\/components\/(Input|InputBase|TextInput)|klona|fast-deep-equal)\/|web\/src\/ui\/form\/(entity-form|use-entity-form)/,
            },
            // Else whatever uses a tooltip would take it along to where there is none.
            {
              name: 'floating',
              test: /node_modules\/@floating-ui\/|@mantine\/core\/esm\/(utils\/Floating|components\/(Tooltip|Portal|Transition))\/|@mantine\/hooks\/esm\/(use-click-outside|use-window-event)\//,
            },
            // Each of a few hundred bytes, and on most screens.
            { name: 'icons', test: /tabler\/icons-react\/dist\/esm\/icons\//, minShareCount: 3 },
            { name: 'screens', test: /(web\/src\/(ui|lib)|contract\/src|components\/Skeleton)\//, minShareCount: 56 },
            { name: 'first', test: isLoadedBy('start') },
            { name: 'shell', test: isLoadedBy('shell') },
            { name: 'state', test: isOfBoth },
            { name: 'dashboard', test: isLoadedBy('dashboard') },
          ],
        },
      },
    },
  },
})
