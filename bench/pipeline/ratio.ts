export interface Bound {
  /** The baseline by name, such as "plain SQL". */
  of: string
  /** How many times the baseline the figure may be. */
  atMost: number
}

/**
 * Judges a figure by its ratio to a baseline that was measured in the same run and in the same unit: absolute figures differ
 * between machines by a factor of two. Returns the ratio in words, and the failures: one or none.
 */
export function judgeRatio(name: string, figure: number, baseline: number, { of, atMost }: Bound) {
  const ratio = figure / baseline
  const text = `${ratio.toFixed(2)} times ${of} (at most ${atMost})`
  return { text, failures: ratio <= atMost ? [] : [`${name}: ${text}`] }
}
