import { localeNames } from '@isotherm/contract/common.ts'
import { type MeasureStats, Verdict } from '@isotherm/contract/stats.ts'
import { expect, test } from 'vitest'
import { becauseOf } from './because.ts'
import { wordsOf } from './words.ts'

test.each(localeNames)(
  'every verdict stands with its coverage and the longest time without a reading (%s)',
  (locale) => {
    const words = wordsOf(locale, 'Africa/Lagos')
    const longestGap = { from: '2026-11-20T00:00:00Z', to: '2026-11-20T02:15:00Z', ms: 8_100_000 }
    for (const verdict of Verdict.options) {
      const stats = { verdict, coveragePct: 71.25, longestGap, aboveMs: 60_000, belowMs: 0, excursions: { count: 2 } }
      const text = becauseOf(words, stats as MeasureStats)
      expect(text, verdict).toContain(words.percent(71.25))
      expect(text, verdict).toContain(words.duration(8_100_000))
    }
  },
)
