import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'

/** The faults that axe calls serious or critical on the page as it is now: each rule with the elements that break it, and why. */
export async function seriousFaults(page: Page): Promise<string[]> {
  // The app has no frames: the legacy mode judges the page itself and opens no second one to put frames together.
  const axe = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ['violations'] })
  const { violations } = await axe.analyze()
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map((node) => `${node.html} (${node.failureSummary})`).join(' ')}`)
}
