import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { inRoot } from '../../scripts/run/paths.mjs'
import { captureNode } from '../../scripts/run/processes.mjs'

/** Nobody listens there: the files are given to the browser by this process. */
const origin = 'http://chart.test'

/** Builds the pages of web/bench into a folder. */
export async function buildPages(folder: string) {
  const config = inRoot('web/bench/vite.config.ts')
  const { code, output } = await captureNode([
    inRoot('node_modules/vite/bin/vite.js'),
    ...['build', inRoot('web/bench'), '--config', config, '--outDir', folder, '--logLevel', 'warn'],
  ])
  if (code !== 0) throw new Error(`the chart's pages do not build:\n${output}`)
}

/** Opens one of them. */
export async function openPage(page: Page, folder: string, name: string) {
  await page.route(`${origin}/**`, (route) =>
    route.fulfill({ path: join(folder, new URL(route.request().url()).pathname) }),
  )
  await page.goto(`${origin}/${name}`)
}
