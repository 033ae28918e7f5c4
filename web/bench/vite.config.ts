import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

/** A page for `npm run bench -- chart` alone: the app's chart without the app around it. Nothing of it is shipped. */
export default defineConfig({
  plugins: [react()],
  build: { target: 'es2022', emptyOutDir: true, modulePreload: { polyfill: false }, chunkSizeWarningLimit: 2000 },
})
