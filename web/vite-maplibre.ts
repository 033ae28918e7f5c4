import { join } from 'node:path'
import { type Plugin, transformWithOxc } from 'vite'

const folder = join(import.meta.dirname, '../node_modules/maplibre-gl')
const WORKER_URL = '\0maplibre-worker-url'
const NO_MLT = '\0maplibre-no-mlt'
const NO_FALLBACK = '\0maplibre-no-fallback'

const modules: Record<string, string> = {
  // Another tile format than ours, 20 KB; MapLibre asks for it only where a source says `encoding: 'mlt'`.
  [NO_MLT]: `export const GEOMETRY_TYPE = {}
    export const decodeTile = () => { throw new Error('MLT tiles are left out of this build') }`,
  // @vis.gl/react-maplibre imports the whole library where no `mapLib` is given; ours always is.
  [NO_FALLBACK]: 'export {}',
}

/**
 * Builds MapLibre from its own sources (they are in its package) instead of its two finished files, of which each carries
 * a copy of what page and worker share: 320 KB gzip together with our map, instead of 465. Development uses the finished
 * files.
 */
export const maplibreFromSource = (): Plugin => ({
  name: 'maplibre-from-source',
  apply: 'build',
  enforce: 'pre',
  resolveId(id, importer) {
    if (id === 'maplibre-gl') return importer?.includes('react-maplibre') ? NO_FALLBACK : join(folder, 'src/index.ts')
    if (id === 'maplibre-gl/dist/maplibre-gl-worker.mjs?worker&url') return WORKER_URL
    if (id === '@maplibre/mlt') return NO_MLT
    return null
  },
  load(id) {
    if (id !== WORKER_URL) return modules[id] ?? null
    const worker = this.emitFile({ type: 'chunk', id: join(folder, 'src/source/worker.ts'), name: 'maplibre-worker' })
    return `export default import.meta.ROLLUP_FILE_URL_${worker}`
  },
  async transform(source, id) {
    if (!id.startsWith(join(folder, 'src')) || !id.endsWith('.ts')) return null
    // Its classes count on fields without a value not being set, as its own tsconfig has it.
    const { code, map } = await transformWithOxc(source, id, {
      assumptions: { setPublicClassFields: true },
      typescript: { removeClassFieldsWithoutInitializer: true },
    })
    return { code, map, moduleType: 'js', moduleSideEffects: !id.includes('/src/ui/') }
  },
})
