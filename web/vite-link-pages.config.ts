import { defineConfig } from 'vite'
import { compress } from './vite-compress.ts'

/** The pages of receivers, drivers and followers of shipments, apart from the app: in files that both share, each would load the other's. */
export default defineConfig({
  publicDir: false,
  plugins: [compress()],
  build: {
    target: 'es2022',
    minify: 'terser',
    terserOptions: { module: true, compress: { passes: 3, ecma: 2020, unsafe_arrows: true } },
    outDir: 'dist',
    emptyOutDir: false,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: ['track.html', 'drive.html', 'shipment-link.html'],
      // One file for what the three have in common: they are small, and a request costs more than its bytes.
      output: { codeSplitting: { groups: [{ name: 'link-pages', tags: ['$initial'], minShareCount: 2 }] } },
    },
  },
})
