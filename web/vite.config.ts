import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

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

export default defineConfig({
  plugins: [react(), preloadTypeface()],
  server: { proxy: { '/app/api': server } },
  build: {
    target: 'es2022',
    outDir: 'dist',
    assetsInlineLimit: 0,
    sourcemap: false,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 1200,
  },
})
