import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { driveSwitches, openCharted, randomOf } from '../../e2e/charted-pages.ts'
import { launchBrowser, openStage } from '../../e2e/stage.ts'
import { buildPages, openPage } from '../chart/pages.ts'
import { driveComponent } from './component.ts'

/*
 * Charts are switched at random (measures, period, zoom, comparison, axes, theme, size, new readings), ten times in a row, and
 * then held against a chart that has shown nothing before: not one pixel may differ.
 *
 * - The chart alone, `--sequences` times (1,000), in four looks: desktop and phone, light and dark, the last with reduced motion.
 * - Whole pages of devices, reports, groups, records and alarms, `--pages` times each (4).
 *
 * A sequence that differs is printed with its number; `--seed <seed> --from <number> --sequences 1` repeats it. Exit code 1
 * where one differs.
 *
 *   npm run bench -- switches [--sequences 1000] [--pages 4] [--seed 1] [--from 0]
 */

const option = (name: string, fallback: number) => {
  const at = process.argv.indexOf(`--${name}`)
  return at < 0 ? fallback : Number(process.argv[at + 1])
}
const [sequences, pages, seed, from] = [
  option('sequences', 1_000),
  option('pages', 4),
  option('seed', 1),
  option('from', 0),
]

const looks = [
  { name: 'desktop, light', isPhone: false, isDark: false, reducedMotion: 'no-preference' },
  { name: 'phone, light', isPhone: true, isDark: false, reducedMotion: 'no-preference' },
  { name: 'desktop, dark', isPhone: false, isDark: true, reducedMotion: 'no-preference' },
  { name: 'phone, dark, reduced motion', isPhone: true, isDark: true, reducedMotion: 'reduce' },
] as const
const contextOf = ({ isPhone, isDark, reducedMotion }: (typeof looks)[number]) => ({
  viewport: isPhone ? { width: 390, height: 844 } : { width: 1366, height: 800 },
  deviceScaleFactor: isPhone ? 2 : 1,
  colorScheme: isDark ? ('dark' as const) : ('light' as const),
  reducedMotion,
})
/** Every sequence has numbers of its own, whichever was begun with. */
const randomFor = (number: number) => randomOf(seed * 1_000_003 + number)

async function runComponent(browser: Browser): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'isotherm-switches-'))
  let different = 0
  try {
    await buildPages(folder)
    const opened = await Promise.all(
      looks.map(async (look) => {
        const page = await browser.newPage(contextOf(look))
        await openPage(page, folder, 'switches.html')
        await page.waitForFunction(() => 'switches' in window)
        return { look, page }
      }),
    )
    for (let number = from; number < from + sequences; number++) {
      const one = opened[number % opened.length]
      if (!one) continue
      const { names, pixels } = await driveComponent(one.page, randomFor(number), one.look)
      if (pixels > 0) {
        different++
        console.log(`sequence ${number} (${one.look.name}): ${pixels} pixels differ after ${names.join(', ')}`)
      }
      const done = number - from + 1
      if (done % 25 === 0) console.log(`${done} of ${sequences}, ${different} differ`)
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
  console.log(`the chart alone: ${sequences} sequences of ten switches, ${different} differ (seed ${seed})`)
  return different
}

async function runPages(): Promise<number> {
  const stage = await openStage()
  let different = 0
  let count = 0
  try {
    const charted = await openCharted(stage, 'admin@charts.test')
    for (const [index, path] of Object.values(charted.paths).entries())
      for (let round = 0; round < pages; round++) {
        const look = looks[round % looks.length]
        if (!look) continue
        const context = await stage.browser.newContext({
          ...contextOf(look),
          baseURL: stage.base,
          timezoneId: 'Africa/Lagos',
          storageState: await charted.context.storageState(),
        })
        await context.clock.setFixedTime(charted.now)
        const own = seed * 1_000_003 + index * 1_000 + round
        const { names, isSame } = await driveSwitches(context, path, own)
        count++
        if (!isSame) {
          different++
          console.log(`${path} (${look.name}, its own seed ${own}) differs after ${names.join(', ')}`)
        }
        await context.close()
      }
  } finally {
    await stage.close()
  }
  console.log(`whole pages: ${count} sequences of ten switches, ${different} differ (seed ${seed})`)
  return different
}

const browser = await launchBrowser({})
let different = 0
try {
  if (sequences > 0) different += await runComponent(browser)
} finally {
  await browser.close()
}
if (pages > 0) different += await runPages()
if (different > 0) process.exitCode = 1
