import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type Plugin, transformWithOxc } from 'vite'

const folder = join(import.meta.dirname, '../node_modules/maplibre-gl')
const source = (path: string) => join(folder, 'src', path)
const WORKER_URL = '\0maplibre-worker-url'
const SHORTER = '\0maplibre-shorter:'
const EMPTIED = '\0maplibre-emptied:'

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
 * Modules that draw what our styles have nothing of: heat maps, buildings in relief, the globe with its sky, land in three dimensions,
 * pictures and films as sources, boxes to look for faults. Their classes and functions are there, and do nothing: 23 KB gzip.
 */
const leftOut = [
  ...['heatmap', 'fill_extrusion', 'color_relief', 'custom'].map((layer) => `/${layer}_style_layer.ts`),
  ...['heatmap', 'fill_extrusion', 'color_relief', 'custom', 'terrain', 'sky', 'debug', 'collision_debug'].map(
    (what) => `/draw_${what}.ts`,
  ),
  ...['heatmap', 'fill_extrusion', 'color_relief', 'atmosphere', 'sky', 'debug'].map((what) => `/${what}_program.ts`),
  ...['image', 'video', 'canvas'].map((kind) => `/${kind}_source.ts`),
  ...['/render/terrain.ts', '/render_to_texture.ts'],
]
const leftOutShader =
  /\/glsl\/(heatmap|fill_extrusion|color_relief|_projection_globe|atmosphere|sky|terrain|debug|collision)\w*\.(fragment|vertex)\.glsl/

/** The same names as a module has, of which none does anything. */
function emptied(path: string): string {
  const code = readFileSync(path, 'utf8')
  const classes = [...code.matchAll(/^export (?:abstract )?class (\w+)/gm)].map(([, name]) => name)
  const others = [...code.matchAll(/^export (?:const|function) (\w+)/gm)].map(([, name]) => name)
  const listed = [...code.matchAll(/^export \{([^}]*)\}/gm)].flatMap(([, names = '']) => names.match(/\w+/g) ?? [])
  return [
    ...classes.map((name) => `export class ${name} {}`),
    ...[...others, ...listed].map((name) => `export const ${name} = () => undefined`),
  ].join('\n')
}

/**
 * Builds MapLibre from its own sources (they are in its package) instead of its two finished files, of which each carries
 * a copy of what page and worker share: 255 KB gzip together with our map, instead of 465. Development uses the finished
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
      if (!importer.includes('maplibre-gl')) return null
      if (leftOutShader.test(id)) return `${SHORTER}shader`
      const end = leftOut.find((name) => id.endsWith(name))
      if (end) return EMPTIED + join(dirname(importer), id)
      const other = Object.keys(shorter).find((name) => id.endsWith(name))
      return other ? SHORTER + other : null
    },
    load(id) {
      if (id.startsWith(EMPTIED)) {
        const path = id.slice(EMPTIED.length)
        for (const name of leftOut) if (path.endsWith(name)) replaced.add(name)
        return emptied(path)
      }
      if (id === `${SHORTER}shader`) return `export default ''`
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
      const missing = [...Object.keys(shorter), ...leftOut].filter((name) => !replaced.has(name))
      if (used && !error && missing.length > 0) this.error(`MapLibre no longer has ${missing.join(', ')}`)
    },
  }
}
