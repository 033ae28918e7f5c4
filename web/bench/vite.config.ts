import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

/** Pages for `npm run bench -- chart` and `-- switches`: the app's chart without the app around it. Nothing of it is shipped. */
export default defineConfig({
  plugins: [react()],
  build: {
    target: 'es2022',
    emptyOutDir: true,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 2000,
    rolldownOptions: { input: ['index.html', 'switches.html'].map((name) => `${import.meta.dirname}/${name}`) },
  },
})
