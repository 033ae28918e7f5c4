import type { Page } from 'playwright-core'
import type { Random } from '../../e2e/charted-pages.ts'
import type { Picture, Switches } from '../../web/bench/picture.ts'

const first: Picture = {
  measures: ['temperature', 'humidity'],
  days: 1,
  isCompared: false,
  layout: 'stacked',
  scheme: 'light',
  width: 1000,
  height: 420,
  others: 0,
  marks: 2,
  newReadings: 0,
}
const allMeasures = ['temperature', 'humidity', 'battery', 'light'] as const

type Step =
  | { name: string; picture: Picture }
  | { name: string; drag: [number, number] }
  | { name: string; isWhole: true }

function toggled(picture: Picture, random: Random): Picture {
  const measure = random.of(allMeasures)
  const measures = allMeasures.filter((each) => picture.measures.includes(each) !== (each === measure))
  return measures.length > 0 ? { ...picture, measures } : picture
}

function stepOf(picture: Picture, widths: readonly [number, ...number[]], random: Random): Step {
  const switched = (name: string, change: Partial<Picture>): Step => ({ name, picture: { ...picture, ...change } })
  const [a, b] = [random.next(), random.next()]
  return random.of<() => Step>([
    () => ({ name: 'measure', picture: toggled(picture, random) }),
    () => ({ name: 'measure', picture: toggled(picture, random) }),
    () => switched('period', { days: random.of([1, 7, 30]) }),
    () => switched('compare', { isCompared: !picture.isCompared }),
    () => switched('axes', { layout: picture.layout === 'stacked' ? 'shared' : 'stacked' }),
    () => switched('theme', { scheme: picture.scheme === 'light' ? 'dark' : 'light' }),
    () => switched('size', { width: random.of(widths), height: random.of([300, 420]) }),
    () => switched('lines of other devices', { others: random.of([0, 1, 3]) }),
    () => switched('alarms', { marks: random.of([0, 1, 4]) }),
    () => switched('new reading', { newReadings: picture.newReadings + 1 }),
    () => ({ name: 'zoom', drag: [Math.min(a, b), Math.max(a, b)] }),
    () => ({ name: 'zoom', drag: [Math.min(a, b), Math.max(a, b)] }),
    () => ({ name: 'show all', isWhole: true }),
  ])()
}

type Holder = { switches: Switches }

/** Ten switches on the chart alone; resolves to their names and the number of pixels in which it differs from a fresh one. */
export async function driveComponent(page: Page, random: Random, look: { isPhone: boolean; isDark: boolean }) {
  const widths = look.isPhone ? ([358, 326, 280] as const) : ([1000, 1180, 720] as const)
  let picture: Picture = { ...first, width: widths[0], scheme: look.isDark ? 'dark' : 'light' }
  await page.evaluate(() => (window as unknown as Holder).switches.begin())
  const show = () => page.evaluate((next) => (window as unknown as Holder).switches.show(next), picture)
  await show()
  const names: string[] = []
  for (let count = 0; count < 10; count++) {
    const step = stepOf(picture, widths, random)
    names.push(step.name)
    if ('picture' in step) {
      picture = step.picture
      await show()
      continue
    }
    const { x, y, width, height } = await page.evaluate(() => (window as unknown as Holder).switches.box())
    const at = (share: number) => x + 50 + share * (width - 80)
    const middle = y + height / 2
    if ('drag' in step) {
      await page.mouse.move(at(step.drag[0]), middle)
      await page.mouse.down()
      await page.mouse.move(at(step.drag[1]), middle, { steps: 2 })
      await page.mouse.up()
    } else await page.mouse.dblclick(at(0.5), middle)
    await page.mouse.move(2, 2)
  }
  const pixels = await page.evaluate(() => (window as unknown as Holder).switches.compare())
  return { names, pixels }
}
