import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { maplibreFromSource } from './vite-maplibre.ts'

/** Where `npm start` listens; only the development server asks. */
const server = process.env.ISOTHERM_URL ?? 'http://127.0.0.1:8080'

/** Preloads the typeface: without it text is laid out twice. Its name carries a hash, so only the build knows it. */
const preloadTypeface = (): Plugin => ({
  name: 'preload-typeface',
  transformIndexHtml: {
    order: 'post',
    handler: (_html, { bundle }) =>
      Object.keys(bundle ?? {})
        .filter((name) => /inter-latin-wght-normal.*\.woff2$/.test(name))
        .map((name) => ({
          tag: 'link',
          attrs: { rel: 'preload', as: 'font', type: 'font/woff2', href: `/${name}`, crossorigin: '' },
          injectTo: 'head-prepend' as const,
        })),
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
        const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }
        await writeFile(join(folder, `${name}.br`), await promisify(brotliCompress)(content, quality))
        await writeFile(join(folder, `${name}.gz`), await promisify(gzip)(content, { level: 9 }))
      }),
    )
  },
})

export default defineConfig({
  plugins: [maplibreFromSource(), react(), preloadTypeface(), compress()],
  server: { proxy: { '/app/api': server, '/tiles': server } },
  build: {
    target: 'es2022',
    outDir: 'dist',
    assetsInlineLimit: 0,
    sourcemap: false,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 1200,
  },
})
