import { join } from 'node:path'
import { type Plugin, transformWithOxc } from 'vite'

const folder = join(import.meta.dirname, '../node_modules/maplibre-gl')
const source = (path: string) => join(folder, 'src', path)
const WORKER_URL = '\0maplibre-worker-url'
const SHORTER = '\0maplibre-shorter:'

const mercator = ['projection', 'transform', 'camera_helper'].map((part) =>
  source(`geo/projection/mercator_${part}.ts`),
)

/** Modules of MapLibre by the end of their name, and what stands in their place. */
const shorter: Record<string, string> = {
  // Another tile format than ours, 20 KB; asked for only where a source says `encoding: 'mlt'`.
  '@maplibre/mlt': `export const GEOMETRY_TYPE = {}
    export const decodeTile = () => { throw new Error('MLT tiles are left out of this build') }`,
  // The map is flat: without the globe, 12 KB.
  '/projection_factory.ts': `import { MercatorProjection } from '${mercator[0]}'
    import { createMercatorTransform } from '${mercator[1]}'
    import { MercatorCameraHelper } from '${mercator[2]}'
    export const createProjectionFromName = (_name, constrainOverride) => ({
      projection: new MercatorProjection(),
      transform: createMercatorTransform({ constrainOverride }),
      cameraHelper: new MercatorCameraHelper()
    })`,
  // Our style is code, and its test validates it; 6 KB.
  '/validate_style.ts': `const none = () => []
    const parts = ['source', 'sprite', 'glyphs', 'layer', 'light', 'sky', 'terrain', 'filter', 'paintProperty', 'layoutProperty']
    export const validateStyle = Object.assign(() => [], Object.fromEntries(parts.map((part) => [part, none])))
    export const SPEC_SOURCE_TYPES = new Set(['vector', 'raster', 'raster-dem', 'geojson', 'image', 'video'])
    export const validateStyleAndEmit = () => false
    export const validateAndEmit = () => false
    export const emitValidationErrors = () => false`,
}

/**
 * Builds MapLibre from its own sources (they are in its package) instead of its two finished files, of which each carries
 * a copy of what page and worker share: 295 KB gzip together with our map, instead of 465. Development uses the finished
 * files. A new version whose modules have other names stops the build.
 */
export const maplibreFromSource = (): Plugin => {
  const replaced = new Set<string>()
  let used = false
  return {
    name: 'maplibre-from-source',
    apply: 'build',
    enforce: 'pre',
    resolveId(id, importer = '') {
      // @vis.gl/react-maplibre imports the whole library where no `mapLib` is given; ours always is.
      if (id === 'maplibre-gl') return importer.includes('react-maplibre') ? `${SHORTER}none` : source('index.ts')
      if (id === 'maplibre-gl/dist/maplibre-gl-worker.mjs?worker&url') return WORKER_URL
      const end = importer.includes('maplibre-gl') && Object.keys(shorter).find((name) => id.endsWith(name))
      return end ? SHORTER + end : null
    },
    load(id) {
      if (id.startsWith(SHORTER)) {
        const name = id.slice(SHORTER.length)
        replaced.add(name)
        return shorter[name] ?? 'export {}'
      }
      if (id !== WORKER_URL) return null
      used = true
      const worker = this.emitFile({ type: 'chunk', id: source('source/worker.ts'), name: 'maplibre-worker' })
      return `export default import.meta.ROLLUP_FILE_URL_${worker}`
    },
    async transform(code, id) {
      if (!id.startsWith(source('')) || !id.endsWith('.ts')) return null
      // Its classes count on fields without a value not being set, as its own tsconfig has it.
      const plain = await transformWithOxc(code, id, {
        assumptions: { setPublicClassFields: true },
        typescript: { removeClassFieldsWithoutInitializer: true },
      })
      // Only modules of ui/ do nothing by being imported: those that nobody uses are left out.
      return { code: plain.code, map: plain.map, moduleType: 'js', moduleSideEffects: !id.includes('/src/ui/') }
    },
    buildEnd(error) {
      const missing = Object.keys(shorter).filter((name) => !replaced.has(name))
      if (used && !error && missing.length > 0) this.error(`MapLibre no longer has ${missing.join(', ')}`)
    },
  }
}
