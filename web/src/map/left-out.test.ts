import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

test('no map has what the build leaves out of MapLibre: vite-maplibre.ts', () => {
  const root = join(import.meta.dirname, '..')
  const leftOut =
    /type(=|: )['"](heatmap|fill-extrusion|color-relief|custom|image|video|canvas)['"]|setTerrain|setSky|terrain=\{|sky=\{|showTileBoundaries|showCollisionBoxes/
  const sources = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /^(map|app\/maps|features\/(places|order-tracking))\/.*\.tsx?$|-map\.tsx?$/.test(name),
  )
  expect(sources.length).toBeGreaterThan(30)
  const asking = sources.filter(
    (name) => !name.endsWith('.test.ts') && leftOut.test(readFileSync(join(root, name), 'utf8')),
  )
  expect(asking).toEqual([])
})
