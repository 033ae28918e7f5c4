// The decision of check-api.mjs: which breaking changes nobody gave a reason for, and whether the description is that of today.
import { breaks } from './compare.mjs'

/** The rows of the table in docs/api-changes.md, oldest first: `| 2026-11-28 | \`what breaks\` | why |`. */
export const entriesOf = (text) =>
  text
    .split('\n')
    .filter((line) => /^\|(?! date |---)/.test(line))
    .map((line) => {
      const [date = '', change = '', reason = ''] = line.slice(1, -1).split(' | ')
      return { date: date.trim(), change: change.trim().replace(/^`|`$/g, ''), reason: reason.trim() }
    })

const isDate = (text) => /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text))

/**
 * Compares what docs/api.json keeps with the present description. `kept.entries` is how many entries there were when it was
 * written: they explained what changed before, and explain nothing new. `unexplained` is what breaks clients without a reason.
 */
export function checkApi(kept, present, entries) {
  const wrong = entries
    .filter(({ date, reason }) => !isDate(date) || reason.length < 10)
    .map(({ change }) => `docs/api-changes.md: "${change}" needs a date (2026-11-28) and a reason`)
  const explained = new Set(entries.slice(kept.entries).map(({ change }) => change))
  const faults = breaks(kept.description, present)
  const unknown = [...explained].filter((change) => !faults.includes(change))
  return {
    unexplained: faults.filter((fault) => !explained.has(fault)),
    wrong: [...wrong, ...unknown.map((change) => `docs/api-changes.md: "${change}" is no change that breaks a client`)],
  }
}
